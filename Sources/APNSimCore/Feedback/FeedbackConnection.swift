/// One provider's connection to the feedback service: tuples out, nothing in.
///
/// "Transmission begins immediately; you do not need to send any command" (Programming Guide, "The Feedback
/// Service"). A tuple leaves the list when it is handed out here, so two readers at once share the list between
/// them, and what a broken connection did not take stays.
package final class FeedbackConnection {
  package let id: ConnectionID
  /// Whether the connection stays open after the last tuple (quirk `feedbackHoldOpen`).
  package let holdsOpen: Bool
  private let simulator: Simulator
  private let record: ConnectionRecord
  private var cursor: UInt64 = 0

  init(simulator: Simulator, record: ConnectionRecord, holdsOpen: Bool) {
    self.simulator = simulator
    self.record = record
    self.holdsOpen = holdsOpen
    id = record.id
  }

  /// The next whole tuples, as many as fit but at least one if there is any; empty at the end of the list.
  ///
  /// The default is what one TLS record holds: readers of fixed tuples stumble over one that is split.
  package func nextChunk(maximumBytes: Int = 16_384, at now: Timestamp) -> [UInt8] {
    simulator.enter(at: now) {
      $0.readFeedback(record, maximumBytes: maximumBytes, cursor: &cursor)
    }
  }

  /// The TCP connection is gone.
  package func closed(_ reason: ClosingReason, at now: Timestamp) {
    simulator.enter(at: now) { $0.close(record, reason) }
  }
}
