import APNSimCapture
import APNSimWire

/// Lines that are missing from a capture, for programs.
extension CaptureGaps {
  /// Writes the gaps as a member of the object that is being written.
  func write(to writer: inout JSONWriter) {
    guard !isEmpty else { return }
    writer.list("missingLines", places) { gap, writer in
      writer.member("line", gap.line)
      writer.member("expected", gap.expected)
      writer.member("found", gap.found)
    }
  }
}
