internal import NIOCore
internal import Synchronization

/// Connections that were asked to make way for others, and what they answer, each from its own loop.
///
/// How long a connection takes to answer and to close depends on how busy the machine is, not on how many must go. So
/// nobody else is asked while one of these has agreed and is closing, or has not answered; but not for ever: a channel
/// that is gone answers nothing.
final class RoomRequest: Sendable {
  /// How many were asked.
  let count: Int
  private let since: NIODeadline
  private let answers: Mutex<(unanswered: Int, agreed: Int)>

  private static let patience = TimeAmount.milliseconds(250)

  init(of count: Int, at now: NIODeadline = .now()) {
    self.count = count
    since = now
    answers = Mutex((unanswered: count, agreed: 0))
  }

  /// A connection closes, or it does not.
  func answer(_ agrees: Bool) {
    answers.withLock { answers in
      answers.unanswered -= 1
      if agrees { answers.agreed += 1 }
    }
  }

  /// Whether room may still come of it.
  func isOpen(at now: NIODeadline) -> Bool {
    now - since < Self.patience && answers.withLock { $0.unanswered > 0 || $0.agreed > 0 }
  }
}
