import APNSimCapture
package import APNSimCore
package import APNSimWire

/// A difference between a service's behaviour and the captured one's.
package struct ReplayDifference: Sendable, Hashable {
  /// The captured connection: `c3`.
  package var connection: String
  package var listener: Listener
  package var topic: String
  /// One line: what is different.
  package var summary = ""
  package var recorded: [String] = []
  package var replayed: [String] = []
  /// The whole answers, as far as `mostBytes` go.
  package var recordedBytes: [UInt8] = []
  package var replayedBytes: [UInt8] = []

  static let mostBytes = 4096

  init(_ captured: CapturedConnection) {
    connection = captured.id.description
    listener = captured.listener
    topic = captured.provider.topic
  }

  /// The most error responses or tuples of a side that are shown.
  private static let mostShown = 20

  /// An answer of a gateway in words, packet by packet; of much, its beginning.
  package static func text(gateway bytes: ArraySlice<UInt8>) -> [String] {
    guard !bytes.isEmpty else { return ["nothing"] }
    var lines: [String] = []
    var rest = bytes
    while lines.count < mostShown, let response = ErrorResponse(bytes: rest.prefix(ErrorResponse.byteCount)) {
      lines.append(
        "\(Hex.encode(response.bytes))  status \(response.status.rawValue) (\(response.status.name)), "
          + "identifier \(response.identifier.hex)"
      )
      rest = rest.dropFirst(ErrorResponse.byteCount)
    }
    if lines.count == mostShown, !rest.isEmpty {
      lines.append("… \(Number.counted(bytes.count, "byte")) in all")
    } else if !rest.isEmpty {
      lines.append("\(Hex.encode(rest.prefix(64)))\(rest.count > 64 ? "…" : "")  not an error response")
    }
    return lines
  }

  /// A feedback list in words.
  package static func text(feedback tuples: ArraySlice<FeedbackTuple>) -> [String] {
    guard !tuples.isEmpty else { return ["no tuples"] }
    let shown = tuples.prefix(mostShown).map {
      "\(Timestamp(seconds: Int64($0.timestamp)))  \(Hex.encode($0.token))"
    }
    return tuples.count > mostShown ? shown + ["… \(tuples.count) in all"] : shown
  }
}
