package import APNSimCapture
package import APNSimCore

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
  /// Of a connection of requests: those that fared otherwise, or the first of them.
  package var requests: [StreamDifference] = []
  /// The whole answers, or their first `AnswerBytes.most` bytes.
  package var recordedBytes: [UInt8] = []
  package var replayedBytes: [UInt8] = []

  init(_ captured: CapturedConnection) {
    connection = captured.id.description
    listener = captured.listener
    topic = captured.provider.topic
  }
}
