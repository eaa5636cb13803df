import APNSimScenario
import APNSimWire

/// Lines that a capture lacks, in words and for programs.
extension CaptureGaps {
  /// The most that are named.
  private static let most = 10

  /// `events 42 to 44 are missing, event 57 is missing and 3 more such places`; nil where there are none.
  var text: String? {
    guard !isEmpty else { return nil }
    let shown = places.prefix(Self.most).map(\.description).joined(separator: ", ")
    return count > Self.most ? "\(shown) and \(Number.grouped(count - Self.most)) more such places" : shown
  }

  /// As a member of the object that is being written.
  func write(to writer: inout JSONWriter) {
    guard !isEmpty else { return }
    writer.list("missingLines", places) { gap, writer in
      writer.member("line", gap.line)
      writer.member("expected", gap.expected)
      writer.member("found", gap.found)
    }
  }
}
