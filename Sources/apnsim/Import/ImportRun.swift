import APNSimCore
import APNSimScenario
import APNSimTLS
import Foundation

/// One import: from the captures through the writer to the file, which has its name only when all is well.
struct ImportRun {
  private let command: ImportCommand

  init(_ command: ImportCommand) { self.command = command }

  /// - Throws: `ImportError` for a capture that gives nothing, `CaptureFailure` when the result cannot be written.
  func summary() throws -> ImportSummary {
    let path = command.outputFile
    let draft = path == "-" ? path : Self.draft(path)
    let redactor = try command.redaction.redactor()
    let file = ImportFile(try CaptureOutput(path: draft), command.captures, command.from, redactor)
    do {
      let progress = CaptureProgress(command.captures)
      var capture = CaptureImport(
        command.options,
        identity: Self.identity,
        progress: { progress.update($1, of: $0) },
        write: file.write
      )
      for path in command.captures { try capture.read(path) }
      progress.finish()
      try file.finish()
      if draft != path { try Self.rename(draft, path) }
      return capture.finish()
    } catch {
      if draft != path { try? FileManager.default.removeItem(atPath: draft) }
      throw error
    }
  }

  /// A name beside the target's, with the same ending: it says whether the file is compressed.
  private static func draft(_ path: String) -> String {
    let target = URL(fileURLWithPath: path)
    let name = ".\(ProcessInfo.processInfo.processIdentifier).\(target.lastPathComponent)"
    return target.deletingLastPathComponent().appendingPathComponent(name).path
  }

  private static func rename(_ draft: String, _ path: String) throws(CaptureFailure) {
    guard Foundation.rename(draft, path) == 0 else { throw .notWritten(path) }
  }

  /// Topic and subject of a provider's certificate.
  private static func identity(_ der: [UInt8]) -> ProviderIdentity? {
    guard let certificate = PeerCertificate(der: der) else { return nil }
    return ProviderIdentity(
      topics: certificate.topicNames,
      environment: certificate.isDevelopment && !certificate.isProduction ? .sandbox : .production,
      subject: certificate.subject
    )
  }
}
