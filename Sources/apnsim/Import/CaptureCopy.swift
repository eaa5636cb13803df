import APNSimCapture

/// A native capture written once more, line by line; nothing of it is left out but what is redacted.
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
