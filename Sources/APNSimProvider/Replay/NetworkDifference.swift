package import APNSimCapture
import APNSimWire

/// A difference between a service's behaviour on a connection and the captured one's.
package struct NetworkDifference: Sendable {
  package let captured: CapturedConnection
  /// One line: what is different.
  package let summary: String
  package private(set) var recorded: [String]
  package private(set) var replayed: [String]
  /// Of a connection of requests: those that fared otherwise, or the first of them.
  package private(set) var requests: [StreamDifference] = []
  /// The whole answers, or their first `AnswerBytes.most` bytes.
  package var recordedBytes: [UInt8] = []
  package var replayedBytes: [UInt8] = []

  init(_ captured: CapturedConnection, _ summary: String, recorded: [String], replayed: [String]) {
    (self.captured, self.summary) = (captured, summary)
    (self.recorded, self.replayed) = (recorded, replayed)
  }

  init(_ captured: CapturedConnection, _ summary: String, _ difference: ConnectionDifference) {
    self.init(captured, summary, recorded: difference.recordedText, replayed: difference.replayedText)
  }

  init(_ captured: CapturedConnection, _ streams: StreamComparison, of count: Int) {
    let (differences, all) = (streams.differences, streams.differenceCount)
    self.init(
      captured,
      "\(Number.grouped(all)) of \(Number.counted(count, "request")) fared otherwise",
      recorded: differences.map(\.recordedText),
      replayed: differences.map(\.replayedText)
    )
    requests = differences
    if all > differences.count {
      replayed.append("… and \(Number.counted(all - differences.count, "request")) more")
    }
  }

  /// Adds what else was seen.
  mutating func add(remark: String?) { if let remark { replayed.append("(\(remark))") } }
}
