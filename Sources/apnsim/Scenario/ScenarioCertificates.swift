import APNSimCore
import APNSimTLS
import Foundation

/// The certificates with which the providers of a script connect: those that lie ready, or made for the run.
struct ScenarioCertificates {
  let directory: PKIDirectory

  /// What a client of that app connects with.
  func context(_ app: AppKey) throws -> TLSContext {
    let files = try files(app)
    var options = TLSClientOptions(trust: .authority(caFiles: [directory.caFile]))
    options.identity = .files(certificate: files.certificate, key: files.key, password: nil)
    options.maximum = .v1_2
    return try TLSContext(client: options)
  }

  private func files(_ app: AppKey) throws -> PKIDirectory.Files {
    if app.topic == PKIDirectory.defaultTopic {
      return app.environment == .sandbox ? directory.sandboxProvider : directory.provider
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apnsim-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var request = PKIDirectory.Request(
      topic: app.topic,
      environments: app.environment == .sandbox ? .sandbox : .production
    )
    request.algorithm = .p256
    request.prefix = folder.appendingPathComponent("provider").path
    return try directory.issue(request).files
  }
}
