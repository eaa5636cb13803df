import APNSimCapture
import APNSimCore
import APNSimProvider
import APNSimScenario
import APNSimWire

/// The first difference of a replay, in full, for people.
enum DifferenceText {
  private static let mostTuples = 20

  static func lines(_ difference: ReplayResult.Difference, isOnly: Bool) -> [String] {
    var place = ""
    if let connection = difference.connection { place += " on \(connection)" }
    if let notification = difference.notification { place += ", notification \(notification)" }
    let what =
      switch difference.kind {
      case .answer: "the answer"
      case .verdict: "the verdict"
      case .ending: "who ended the connection"
      case .journal: "a journal line"
      }
    var lines = ["\(isOnly ? "the difference" : "the first difference"): \(what)\(place)"]
    for (word, bytes) in [("recorded", difference.recorded), ("replayed", difference.replayed)] {
      lines.append("  \(word):")
      lines += words(bytes, of: difference).map { "    \($0)" }
    }
    if difference.kind == .journal, let column = column(difference) {
      lines.append("  they differ from column \(column)")
    }
    return lines
  }

  private static func words(_ bytes: [UInt8], of difference: ReplayResult.Difference) -> [String] {
    if difference.isText { return text(bytes) }
    return difference.isFeedback ? tuples(bytes) : hex(bytes)
  }

  private static func tuples(_ bytes: [UInt8]) -> [String] {
    var decoder = FeedbackTupleDecoder()
    let tuples = decoder.decode(bytes)
    let rest = Hex.encode(bytes.suffix(decoder.pendingByteCount))
    guard !tuples.isEmpty || rest.isEmpty else { return ["\(rest)  incomplete tuple"] }
    let shown = ReplayDifference.text(feedback: tuples.prefix(mostTuples))
    if tuples.count > mostTuples { return shown + ["…"] }
    return rest.isEmpty ? shown : shown + ["\(rest)  incomplete tuple"]
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
