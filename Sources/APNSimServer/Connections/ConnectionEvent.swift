import APNSimCore
import NIOCore
import Synchronization

/// The requests to a connection from outside, as events through its pipeline.
enum ConnectionEvent: Sendable {
  /// The simulator is shutting down: the connection finishes what was received, then closes.
  case drain
  /// An action that the simulator decided as time passed, such as a delayed error response.
  case perform(GatewayAction)
  /// Answers to requests that are due.
  case answer(RequestActions)
  /// Lines wait to be sent to a device.
  case sendLines
  /// The limit of connections is reached: the connection answers whether it can make way, and closes if no other
  /// does.
  case makeWay(RoomRequest)
  /// The end of the connection, in the way an operator asked for.
  case end(KillMode)
}

/// A request to several connections to make way for one: the first that can closes; the others stay. They answer from
/// their own loops.
///
/// No other connections are asked while one of these has agreed and is closing, or has not answered yet, since that
/// takes long on a busy machine. The request expires after a while: a closed channel never answers.
final class RoomRequest: Sendable {
  /// The number of connections asked.
  let count: Int
  private let since: NIODeadline
  private let answers: Mutex<(unanswered: Int, isGranted: Bool)>

  private static let patience = TimeAmount.milliseconds(250)

  init(of count: Int, at now: NIODeadline = .now()) {
    self.count = count
    since = now
    answers = Mutex((unanswered: count, isGranted: false))
  }

  /// Takes a connection's answer.
  /// - Returns: true if this connection is the one to close.
  func answer(canMakeWay: Bool) -> Bool {
    answers.withLock { answers in
      answers.unanswered -= 1
      guard canMakeWay, !answers.isGranted else { return false }
      answers.isGranted = true
      return true
    }
  }

  /// True while one of the connections may still make way.
  func isOpen(at now: NIODeadline) -> Bool {
    now - since < Self.patience && answers.withLock { $0.unanswered > 0 || $0.isGranted }
  }
}
