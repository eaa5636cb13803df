internal import APNSimCore
internal import NIOCore
internal import Synchronization

/// What the server asks of a connection from outside, as an event through its pipeline.
enum ConnectionEvent: Sendable {
  /// The simulator is shutting down: finish what was received, then close.
  case drain
  /// Do what the simulator decided while time passed, such as a delayed error response.
  case perform(GatewayAction)
  /// A device's connection has lines to send.
  case sendLines
  /// There is no room for another: answer whether the peer has been silent for a while, and close if nobody else does.
  case makeWay(RoomRequest)
  /// End the connection, the way an operator asked for.
  case end(ConnectionEnding)
}

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
