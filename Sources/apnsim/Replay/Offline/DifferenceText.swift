import APNSimCore
import APNSimScenario
import APNSimWire

/// The first difference of a replay, in full, for people.
enum DifferenceText {
  static func lines(_ difference: ReplayResult.Difference, isOnly: Bool) -> [String] {
    var place = ""
    if let connection = difference.connection { place += " on \(connection)" }
    if let notification = difference.notification { place += ", notification \(notification)" }
    let what =
      switch difference.kind {
      case .answer: "what went to the provider"
      case .verdict: "what became of a notification"
      case .journal: "a line of the journal"
      }
    var lines = ["\(isOnly ? "the difference" : "the first difference"): \(what)\(place)"]
    for (word, bytes) in [("recorded", difference.recorded), ("replayed", difference.replayed)] {
      lines.append("  \(word):")
      lines += words(bytes, of: difference).map { "    \($0)" }
    }
    if difference.kind == .journal, let column = column(difference) {
      lines.append("  they part at column \(column)")
    }
    return lines
  }

  private static func words(_ bytes: [UInt8], of difference: ReplayResult.Difference) -> [String] {
    if difference.isText { return text(bytes) }
    return difference.isFeedback
      ? ReplayDifference.text(feedback: FeedbackTupleDecoder.tuples(in: bytes)) : hex(bytes)
  }

  private static func text(_ bytes: [UInt8]) -> [String] {
    bytes.isEmpty ? ["(nothing)"] : [String(decoding: bytes, as: UTF8.self)]
  }

  private static func hex(_ bytes: [UInt8]) -> [String] {
    guard !bytes.isEmpty else { return ["(nothing)"] }
    if let response = ErrorResponse(bytes: bytes) {
      return AnnotatedHex.render(AnnotatedHex.lines(of: response)).split(separator: "\n").map(String.init)
    }
    let lines = AnnotatedHex.lines(ofUnread: bytes, at: 0, meaning: "")
    return AnnotatedHex.render(lines).split(separator: "\n").map(String.init)
  }

  private static func column(_ difference: ReplayResult.Difference) -> Int? {
    let common = zip(difference.recorded, difference.replayed).prefix { $0 == $1 }.count
    return difference.recorded.isEmpty || difference.replayed.isEmpty ? nil : common + 1
  }
}
