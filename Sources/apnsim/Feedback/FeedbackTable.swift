import APNSimCore
import APNSimWire

/// Feedback lists as people read them.
enum FeedbackTable {
  /// - Parameter answer: `{"tuples":[…]}`
  static func tuples(_ answer: JSONValue, _ style: Style) -> [String] {
    let tuples = answer.member("tuples")?.arrayValue ?? []
    guard !tuples.isEmpty else { return ["the feedback lists are empty"] }
    return Table.lines(
      tuples.map { tuple in
        [
          time(tuple.member("timestamp")), tuple.text("topic"), tuple.text("environment"),
          tuple.text("token"),
        ]
      }
    )
  }

  /// - Parameter answer: `{"reads":[…]}`
  static func reads(_ answer: JSONValue, _ style: Style) -> [String] {
    let reads = answer.member("reads")?.arrayValue ?? []
    guard !reads.isEmpty else { return ["nobody has read a feedback list"] }
    return Table.lines(
      reads.map { read in
        [
          read.text("time"), read.text("connection"), read.text("topic"), read.text("environment"),
          Number.counted(read.member("tuples")?.arrayValue?.count ?? 0, "tuple"),
        ]
      }
    )
  }

  /// Seconds since 1970 as a time.
  private static func time(_ value: JSONValue?) -> String {
    guard let seconds = value?.intValue.flatMap({ Int64(exactly: $0) }), abs(seconds) < 1 << 40 else {
      return value?.plain ?? ""
    }
    return Timestamp(seconds: seconds).description
  }
}
