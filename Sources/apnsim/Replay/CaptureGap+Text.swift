import APNSimScenario
import APNSimWire

/// Lines that a capture lacks, in words and for programs.
extension CaptureGap {
  /// The most that are named.
  private static let most = 10

  /// `events 42 to 44 are missing, event 57 is missing and 3 more such places`; nil where there are none.
  static func text(_ gaps: [CaptureGap], of count: Int) -> String? {
    guard !gaps.isEmpty else { return nil }
    let shown = gaps.prefix(most).map(\.description).joined(separator: ", ")
    return count > most ? "\(shown) and \(Number.grouped(count - most)) more such places" : shown
  }

  /// As a member of the object that is being written.
  static func write(_ gaps: [CaptureGap], to writer: inout JSONWriter) {
    guard !gaps.isEmpty else { return }
    writer.key("missingLines")
    writer.beginArray()
    for gap in gaps {
      writer.beginObject()
      writer.member("line", gap.line)
      writer.member("expected", gap.expected)
      writer.member("found", gap.found)
      writer.endObject()
    }
    writer.endArray()
  }
}
