import APNSimCore
import APNSimWire
import DequeModule

/// A connection of the capture during the replay.
final class ReplayConnection {
  enum Door {
    case gateway(GatewayConnection)
    case feedback(FeedbackConnection)
    case http2(RequestConnection)
    case device(DeviceConnection)
    /// The simulator refused it, or the capture does not begin it.
    case none
  }

  let name: ConnectionID
  let door: Door
  /// The answers, recorded and replayed.
  var sides: ConnectionSides
  /// The times at which the replay's answers arrive; feedback is read without delay.
  private var output = OutputSchedule(.usual)
  /// The bytes that have not arrived yet, with their arrivals.
  private var underWay: [(until: Timestamp, bytes: [UInt8])] = []
  /// The recorded verdicts of notifications whose replay is not known yet.
  private var pending: Deque<CapturedNotification> = []
  /// The capture's number of the notification that was rejected last; 0 for none.
  var lastNotification: UInt64 = 0
  var lastNotificationName: String? { lastNotification > 0 ? "n\(lastNotification)" : nil }
  /// The opening of a gateway connection that the capture begins.
  var opening: ConnectionOpening?
  /// True where it has ended, and everything of it was compared.
  var isOver = false

  init(name: ConnectionID, door: Door, sides: ConnectionSides) {
    (self.name, self.door, self.sides) = (name, door, sides)
    if case .gateway(let connection) = door { output = OutputSchedule(connection.plan) }
  }

  /// The connection's number in the replay.
  var id: ConnectionID? {
    switch door {
    case .gateway(let connection): connection.id
    case .feedback(let connection): connection.id
    case .http2(let connection): connection.id
    case .device(let connection): connection.id
    case .none: nil
    }
  }

  /// True where nothing more of the provider can be handed in.
  var isBroken: Bool { sides.gaps.contains(.input) }

  /// The error response that waits to be sent.
  var pendingResponse: [UInt8] {
    guard case .gateway(let connection) = door else { return [] }
    return connection.pendingResponse
  }

  /// - Parameter now: the time of the gateway's decision. The end may arrive later, by a rule's latency.
  func note(_ ending: ConnectionEnding, at now: Timestamp) {
    switch ending {
    case .drain, .reset: sides.end(at: output.endArrival(at: now))
    case .none, .stopReading: break
    }
  }

  /// Takes what the gateway does.
  /// - Parameter now: the time at which it does that.
  func addReplayed(_ action: GatewayAction, at now: Timestamp) {
    for record in action.records { addReplayed(record, at: now) }
    note(action.ending, at: now)
  }

  private func addReplayed(_ bytes: [UInt8], at now: Timestamp) {
    guard !output.isImmediate else { return sides.answers.addReplayed(bytes) }
    for piece in output.pieces(of: bytes.count, at: now) {
      underWay.append((piece.arrival, Array(bytes[piece.range])))
    }
  }

  /// Takes answers of the replay's service, and the streams that it resets.
  func addReplayed(_ actions: RequestActions) {
    for answer in actions.answers {
      sides.streams.note(replayed: .answered(CapturedAnswer(answer)), of: answer.stream)
    }
    for case (_, .resetStream(let stream, let code)) in actions.frames {
      sides.streams.note(replayed: .reset(code.name), of: stream)
    }
  }

  /// Drops delayed answers at the end of the connection or of the capture, after which they cannot have arrived. An
  /// answer that the capture has did arrive, however late the rule would have it: like other times, this one is not
  /// compared.
  func settleAnswers(by time: Timestamp) {
    for (until, bytes) in underWay where until <= time || sides.answers.lacks {
      sides.answers.addReplayed(bytes)
    }
    underWay = []
  }

  var pendingCount: Int { pending.count }

  func add(pending notification: CapturedNotification) { pending.append(notification) }

  func takePending() -> CapturedNotification? { pending.popFirst() }
}
