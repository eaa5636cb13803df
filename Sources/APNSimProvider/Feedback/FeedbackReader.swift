package import APNSimWire
import NIOCore
import Synchronization

/// Reads a feedback connection to its end.
package struct FeedbackReader: Sendable {
  /// The longest wait for more bytes.
  private let patience: Duration

  package init(patience: Duration) { self.patience = patience }

  package enum Ending: Sendable, Equatable {
    /// The service closed, with that many bytes of an unfinished tuple.
    case closed(pending: Int)
    /// Nothing more came, and the service did not close.
    case quiet
  }

  /// The time of the last byte, and whether the reader closed for want of more.
  private final class Activity: Sendable {
    let last = Mutex(ContinuousClock.now)
    let gaveUp = Mutex(false)
  }

  /// - Parameter each: called with every tuple, in order.
  /// - Throws: what `each` throws, and `ProviderFailure` when the connection breaks.
  package func run(over connection: ProviderConnection, each: (FeedbackTuple) throws -> Void) async throws
    -> Ending
  {
    let activity = Activity()
    let channel = connection.channel.channel
    let patience = patience
    return try await connection.channel.executeThenClose { inbound, _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await Self.giveUp(on: channel, activity, after: patience) }
        defer { group.cancelAll() }
        var decoder = FeedbackTupleDecoder()
        do {
          for try await buffer in inbound {
            activity.last.withLock { $0 = .now }
            for tuple in decoder.decode(buffer.readableBytesView) { try each(tuple) }
          }
        } catch let error where !activity.gaveUp.withLock({ $0 }) {
          throw ProviderFailure(.broken, "the connection broke: \(ProviderFailure.words(error))")
        }
        let isQuiet = activity.gaveUp.withLock { $0 }
        return isQuiet ? .quiet : .closed(pending: decoder.pendingByteCount)
      }
    }
  }

  /// Closes the connection once nothing has come for too long.
  private static func giveUp(on channel: any Channel, _ activity: Activity, after patience: Duration)
    async throws
  {
    while true {
      let rest = patience - (ContinuousClock.now - activity.last.withLock { $0 })
      guard rest > .zero else { break }
      try await Task.sleep(for: rest)
    }
    activity.gaveUp.withLock { $0 = true }
    try? await channel.close()
  }
}
