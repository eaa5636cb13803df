import APNSimCapture
import APNSimCore

/// The native capture that an import writes; its header is written with the first entry, which gives its start.
final class ImportFile {
  private let output: CaptureOutput
  private var writer: CaptureWriter?
  /// The origin of the entries; set before the first of them is written.
  var source: CaptureSource?
  private let redactor: JournalRedactor?

  /// - Parameter redactor: what takes secrets out before anything is written; nil leaves them.
  init(_ output: CaptureOutput, _ redactor: JournalRedactor?) {
    self.output = output
    self.redactor = redactor
  }

  func write(_ entry: CaptureEntry) throws(CaptureFailure) {
    var writer = self.writer ?? begin(at: entry.time)
    self.writer = nil
    writer.write(entry)
    if writer.byteCount >= CaptureOutput.piece { try put(writer.takeLines()) }
    self.writer = writer
  }

  func finish() throws(CaptureFailure) {
    var writer = self.writer ?? begin(at: Timestamp(seconds: 0))
    try put(writer.takeLines())
    if let redactor { try output.write(redactor.finish()) }
    try output.finish()
  }

  private func put(_ lines: [UInt8]) throws(CaptureFailure) {
    try output.write(redactor.map { redactor in lines.withUnsafeBytes { redactor.redact($0) } } ?? lines)
  }

  private func begin(at start: Timestamp) -> CaptureWriter {
    var header = CaptureHeader()
    header.source = source
    header.start = start
    return CaptureWriter(header)
  }
}
