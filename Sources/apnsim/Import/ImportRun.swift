import APNSimCapture
import APNSimCore
import APNSimImport
import APNSimServer
import APNSimSystem
import APNSimTLS

/// One import, from the captures to the file, which gets its name only on success.
struct ImportRun {
  private let command: ImportCommand

  init(_ command: ImportCommand) { self.command = command }

  /// - Throws: `ImportError` for a capture that gives nothing, `CaptureFailure` when the result cannot be written.
  func summary() async throws -> ImportSummary {
    let path = command.outputFile
    let place = path == "-" ? nil : FileReplacement(of: path)
    return try await Interruption.discarding(place) { try summary(path, place) }
  }

  private func summary(_ path: String, _ place: FileReplacement?) throws -> ImportSummary {
    let redactor = try command.redaction.redactor()
    let output = try CaptureOutput(path, place, for: .recording)
    let file = ImportFile(output, redactor)
    do {
      let progress = CaptureProgress(command.captures)
      defer { progress.finish() }
      var capture = CaptureImport(
        command.options,
        identity: Self.identity,
        progress: { progress.update($1, of: $0) },
        write: file.write
      )
      let kinds = command.captures.map { command.from ?? (try? capture.kind(of: $0)) }
      file.source = source(kinds)
      if kinds == [.journal], let path = command.captures.first {
        let copy = CaptureCopy(output, redactor)
        try capture.copy(path, copy.write)
        progress.finish()
        try copy.finish()
      } else {
        try capture.read(command.captures)
        progress.finish()
        try file.finish()
      }
      try place?.commit(path, for: .recording)
      return capture.finish()
    } catch {
      place?.discard()
      throw error
    }
  }

  private func source(_ kinds: [CaptureKind?]) -> CaptureSource {
    let names = Set(kinds.map { $0?.rawValue ?? "unknown" })
    return CaptureSource(
      kind: names.count == 1 ? names.first ?? "unknown" : "mixed",
      name: command.captures.map(CaptureImport.name).joined(separator: " ")
    )
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

/// Copies a native capture line by line; only redaction changes anything.
final class CaptureCopy {
  private let output: CaptureOutput
  private let redactor: JournalRedactor?
  private var lines: [UInt8] = []

  /// - Parameter redactor: what takes secrets out before anything is written; nil leaves them.
  init(_ output: CaptureOutput, _ redactor: JournalRedactor?) {
    (self.output, self.redactor) = (output, redactor)
  }

  func write(_ line: UnsafeRawBufferPointer) throws(CaptureFailure) {
    if let redactor {
      lines += redactor.redact(line)
    } else {
      lines += line
      lines.append(UInt8(ascii: "\n"))
    }
    guard lines.count >= CaptureOutput.piece else { return }
    try output.write(lines)
    lines.removeAll(keepingCapacity: true)
  }

  func finish() throws(CaptureFailure) {
    if let redactor { lines += redactor.finish() }
    try output.write(lines)
    try output.finish()
  }
}
