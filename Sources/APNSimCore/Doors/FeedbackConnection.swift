/// One provider's connection to the feedback service: tuples out, nothing in.
///
/// "Transmission begins immediately; you do not need to send any command" (Programming Guide, "The Feedback
/// Service"). A tuple leaves the list when it is handed out here, so two readers at once share the list between
/// them, and what a broken connection did not take stays.
package final class FeedbackConnection {
  package let id: ConnectionID
  /// True if the connection stays open after the last tuple (quirk `feedbackHoldOpen`).
  package let holdsOpen: Bool
  private let simulator: Simulator
  private let record: FeedbackRecord
  private var cursor: UInt64 = 0
  private var hasAsked = false

  /// Bytes of the list that may still be sent, where a fault truncates it.
  private var bytesLeft: Int?

  init(simulator: Simulator, record: FeedbackRecord, holdsOpen: Bool) {
    self.simulator = simulator
    self.record = record
    self.holdsOpen = holdsOpen || record.plan.holdsFeedbackOpen || record.plan.isMute
    bytesLeft = record.plan.truncatesFeedbackAt
    id = record.id
  }

  /// The unusual about this connection, for the listener to perform.
  package var plan: ConnectionPlan { record.plan }

  /// The next whole tuples, as many as fit but at least one if there is any; empty at the end of the list.
  ///
  /// The default is what one TLS record holds: readers of fixed tuples stumble over one that is split.
  package func nextChunk(maximumBytes: Int = 16_384, at now: Timestamp) -> [UInt8] {
    guard bytesLeft != 0, !record.plan.isMute else { return [] }
    // A tuple that a truncated list does not even begin to send stays in it.
    let most = min(maximumBytes, bytesLeft ?? .max)
    let input = FeedbackReading(
      connection: record,
      maximumBytes: most,
      sent: bytesLeft ?? .max,
      isFirst: !hasAsked,
      cursor: cursor
    )
    let (chunk, next) = simulator.submit(input, at: now)
    cursor = next
    hasAsked = true
    if let left = bytesLeft { bytesLeft = max(0, left - chunk.count) }
    return chunk
  }

  /// The TCP connection is gone.
  package func closed(_ reason: ClosingReason, at now: Timestamp) {
    simulator.submit(FeedbackClosing(connection: record, reason: reason), at: now)
  }
}

extension Simulator {
  /// A provider has connected to the feedback service.
  /// - Throws: why it is turned away.
  package func openFeedback(
    _ opening: ConnectionOpening,
    at now: Timestamp
  ) throws(TurnedAway) -> FeedbackConnection {
    let (record, holdsOpen) = try submit(FeedbackOpening(opening: opening), at: now).get()
    return FeedbackConnection(simulator: self, record: record, holdsOpen: holdsOpen)
  }
}
