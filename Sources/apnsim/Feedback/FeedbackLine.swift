import APNSimCore
import APNSimWire

/// One feedback tuple as `feedback read` prints it.
struct FeedbackLine: Encodable, Equatable {
  /// Seconds since 1970, as on the wire.
  var timestamp: UInt32
  /// The same for people, in UTC.
  var time: String
  var token: String

  init(_ tuple: FeedbackTuple) {
    timestamp = tuple.timestamp
    time = Timestamp(seconds: Int64(tuple.timestamp)).description
    token = Hex.encode(tuple.token)
  }

  func text(_ style: Style) -> String { style.paint(time, .dim) + "  " + token }
}
