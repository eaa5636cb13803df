import APNSimCore
import APNSimScenario

/// The native capture that an import writes; its first line waits for the first entry, which says when it begins.
final class ImportFile {
  private let output: CaptureOutput
  private var writer: CaptureWriter?
  private let source: CaptureSource
  /// Lines are written out in pieces of at least so many bytes.
  private static let piece = 1 << 16

  init(_ output: CaptureOutput, _ captures: [String], _ kind: CaptureKind?) {
    self.output = output
    // Stdin cannot be looked at twice.
    let kinds = captures.map { path in
      (kind ?? (path == "-" ? nil : try? CaptureImport.kind(of: path)))?.rawValue ?? "unknown"
    }
    source = CaptureSource(
      kind: Set(kinds).count == 1 ? kinds[0] : "mixed",
      name: captures.map(CaptureImport.name).joined(separator: " ")
    )
  }

  func write(_ entry: CaptureEntry) throws(CaptureFailure) {
    var writer = self.writer ?? begin(at: entry.time)
    self.writer = nil
    writer.write(entry)
    if writer.byteCount >= Self.piece { try output.write(writer.takeLines()) }
    self.writer = writer
  }

  func finish() throws(CaptureFailure) {
    var writer = self.writer ?? begin(at: Timestamp(seconds: 0))
    try output.write(writer.takeLines())
    try output.finish()
  }

  private func begin(at start: Timestamp) -> CaptureWriter {
    var header = CaptureHeader()
    header.source = source
    header.start = start
    return CaptureWriter(header)
  }
}
