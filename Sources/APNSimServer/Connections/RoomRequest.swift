internal import NIOCore
internal import Synchronization

/// Room for one connection, which others were asked for: the first of them that can make way does, and answers from its
/// own loop; all the others stay.
///
/// How long it takes to answer and to close depends on how busy the machine is. So nobody else is asked while one of
/// these has agreed and is closing, or has not answered; but not for ever: a channel that is gone answers nothing.
final class RoomRequest: Sendable {
  /// How many were asked.
  let count: Int
  private let since: NIODeadline
  private let answers: Mutex<(unanswered: Int, isGranted: Bool)>

  private static let patience = TimeAmount.milliseconds(250)

  init(of count: Int, at now: NIODeadline = .now()) {
    self.count = count
    since = now
    answers = Mutex((unanswered: count, isGranted: false))
  }

  /// A connection's answer.
  /// - Returns: whether it is the one that closes.
  func answer(canMakeWay: Bool) -> Bool {
    answers.withLock { answers in
      answers.unanswered -= 1
      guard canMakeWay, !answers.isGranted else { return false }
      answers.isGranted = true
      return true
    }
  }

  /// Whether room may still come of it.
  func isOpen(at now: NIODeadline) -> Bool {
    now - since < Self.patience && answers.withLock { $0.unanswered > 0 || $0.isGranted }
  }
}
