import APNSimCapture
import APNSimCore

/// The first difference of a replay, in full, for people.
enum DifferenceText {
  static func lines(_ difference: ReplayDifference, isOnly: Bool) -> [String] {
    var place = ""
    if let connection = difference.connection { place += " on \(connection)" }
    if let notification = difference.notification { place += ", notification \(notification)" }
    let what =
      switch difference.kind {
      case .answer: "the answer"
      case .request: "the answer to a request"
      case .verdict: "the verdict"
      case .ending: "who ended the connection"
      case .journal: "a journal line"
      }
    var lines = ["\(isOnly ? "the difference" : "the first difference"): \(what)\(place)"]
    for (word, side) in zip(["recorded", "replayed"], sides(of: difference.content)) {
      lines.append("  \(word):")
      lines += side.map { "    \($0)" }
    }
    if difference.kind == .journal, let column = column(difference) {
      lines.append("  they differ from column \(column)")
    }
    return lines
  }

  /// The recorded side and the replayed one, a line for each element.
  private static func sides(of content: ReplayDifference.Content) -> [[String]] {
    switch content {
    case .connection(let difference): [difference.recordedText, difference.replayedText]
    case .request(let difference): [[difference.recordedText], [difference.replayedText]]
    case .verdict(let recorded, let replayed): [[recorded], [replayed]]
    case .journal(let recorded, let replayed): [line(recorded), line(replayed)]
    }
  }

  private static func line(_ bytes: [UInt8]) -> [String] {
    bytes.isEmpty ? ["(nothing)"] : [String(decoding: bytes, as: UTF8.self)]
  }

  private static func column(_ difference: ReplayDifference) -> Int? {
    let common = zip(difference.recorded, difference.replayed).prefix { $0 == $1 }.count
    return difference.recorded.isEmpty || difference.replayed.isEmpty ? nil : common + 1
  }
}
