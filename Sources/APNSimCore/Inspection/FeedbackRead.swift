package import APNSimWire

/// One time that a provider read from a feedback list: who, what and when. Of a reader who found nothing there is one
/// without tuples.
package struct FeedbackRead: Sendable {
  package var seq: UInt64
  package var time: Timestamp
  package var connection: ConnectionID
  package var app: AppKey
  /// The subject of the reader's certificate; nil when the connection is forgotten.
  package var subject: String?
  package var tuples: [FeedbackTuple]
}

extension Simulator {
  /// The readings after a sequence number, oldest first, as far as the history reaches.
  /// - Returns: at most so many, and where to go on; nil at the end.
  package func feedbackReads(after seq: UInt64, limit: Int) -> (reads: [FeedbackRead], next: UInt64?) {
    var from = seq &+ 1
    var reads: [FeedbackRead] = []
    while true {
      let (found, next) = withWorld { $0.feedbackReads(from: from, limit: limit - reads.count) }
      reads += found
      guard let next else { return (reads, nil) }
      if reads.count >= limit { return (reads, reads.last?.seq) }
      from = next
    }
  }
}

extension World {
  /// Looks at some of the events from a sequence number on.
  fileprivate func feedbackReads(from seq: UInt64, limit: Int) -> ([FeedbackRead], next: UInt64?) {
    let start = history.firstEvent(from: seq)
    let end = min(history.endEvent, start &+ 10_000)
    var reads: [FeedbackRead] = []
    for count in start..<end {
      let record = history.event(count)
      guard case .feedbackRead(let id, let app, _, let bytes) = record.event else { continue }
      reads.append(
        FeedbackRead(
          seq: record.seq,
          time: record.time,
          connection: id,
          app: app,
          subject: connections[id]?.record.opening.provider.subject,
          tuples: FeedbackTupleDecoder.tuples(in: bytes)
        )
      )
      if reads.count >= limit { return (reads, record.seq + 1) }
    }
    return (reads, end < history.endEvent ? history.event(end).seq : nil)
  }
}
