import APNSimScenario

/// A capture written once more, without what is secret in it.
enum RedactedCapture {
  /// Writes the capture `input`, line by line, to `output`; nothing of it is left out but what is redacted.
  static func write(_ input: String, to output: String, _ redactor: JournalRedactor) throws {
    do throws(CaptureFailure) {
      let reader = try CaptureReader(path: input)
      let file = try CaptureOutput(path: output)
      var lines = reader.headerLine.withUnsafeBytes { redactor.redact($0) }
      while reader.next() != nil {
        lines += reader.withLine { _, line in redactor.redact(line) }
        guard lines.count > 1 << 16 else { continue }
        try file.write(lines)
        lines.removeAll(keepingCapacity: true)
      }
      try file.write(lines + redactor.finish())
      try file.finish()
      if let damage = reader.damage { Output.note("\(damage); everything before it was used") }
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Whether a file is a native capture.
  static func isNative(_ path: String) -> Bool { path != "-" && (try? CaptureReader(path: path)) != nil }
}
