import APNSimCore
package import APNSimScenario
import APNSimSystem
package import APNSimTLS

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The certificates of a script's providers: ready-made ones, or made for the run.
package struct TrafficCertificates {
  private let directory: PKIDirectory

  package init(directory: PKIDirectory) { self.directory = directory }

  /// The TLS context of a provider, with a certificate of the kind that the script says.
  package func context(_ provider: TrafficProvider) throws -> TLSContext {
    var options = TLSClientOptions(trust: .authority(caFiles: [directory.caFile]))
    options.identity = try identity(provider)
    options.maximum = .v1_2
    if provider.listener == .http2 {
      options.minimum = .v1_2
      options.applicationProtocols = ["h2"]
    }
    return try TLSContext(client: options)
  }

  private func identity(_ provider: TrafficProvider) throws -> TLSIdentitySource? {
    switch provider.certificate {
    case .good: try good(provider.app)
    case .wrongEnvironment: try good(provider.app.inOtherEnvironment)
    case .none: nil
    case .revoked: .files(try revoked(provider.app))
    case .expired: .memory(try expired(provider.app))
    case .foreign: .memory(try foreign(provider.app))
    }
  }

  private func good(_ app: AppKey) throws -> TLSIdentitySource {
    guard app.topic != PKIDirectory.defaultTopic else {
      return .files(app.environment == .sandbox ? directory.sandboxProvider : directory.provider)
    }
    let folder = SystemFolder.temporaryPath()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var request = request(app)
    request.prefix = "\(folder)/provider"
    let files = try directory.issue(request).files
    return .memory(try TLSIdentity(certificateFile: files.certificate, keyFile: files.key))
  }

  /// A revoked certificate stays in the directory, so that the revocation list does not grow with each run.
  private func revoked(_ app: AppKey) throws -> PKIDirectory.Files {
    var request = request(app)
    request.prefix = directory.files(of: request).prefix + "-revoked"
    let files = directory.files(of: request)
    if !SystemPath.exists(files.key) { _ = try directory.issue(request) }
    _ = try directory.revoke(files.certificate)
    return files
  }

  private func expired(_ app: AppKey) throws -> TLSIdentity {
    var template = template(app)
    template.notAfter = template.notBefore
    template.notBefore -= 86_400
    let key = try PrivateKey.generate(.p256)
    return TLSIdentity(certificate: try directory.authority().sign(template, for: key), key: key)
  }

  private func foreign(_ app: AppKey) throws -> TLSIdentity {
    let authority = try CertificateAuthority(
      key: .generate(.p256),
      template: .authority(name: "an unknown CA")
    )
    let key = try PrivateKey.generate(.p256)
    return TLSIdentity(certificate: try authority.sign(template(app), for: key), key: key)
  }

  private func template(_ app: AppKey) -> CertificateTemplate {
    .provider(topics: [.init(name: app.topic)], environments: app.certificateEnvironments)
  }

  private func request(_ app: AppKey) -> PKIDirectory.Request {
    var request = PKIDirectory.Request(topic: app.topic, environments: app.certificateEnvironments)
    request.algorithm = .p256
    return request
  }
}

extension AppKey {
  fileprivate var inOtherEnvironment: AppKey {
    AppKey(topic: topic, environment: environment == .sandbox ? .production : .sandbox)
  }

  fileprivate var certificateEnvironments: CertificateEnvironments {
    environment == .sandbox ? .sandbox : .production
  }
}

extension TLSIdentitySource {
  fileprivate static func files(_ files: PKIDirectory.Files) -> TLSIdentitySource {
    .files(certificate: files.certificate, key: files.key, password: nil)
  }
}
