internal import APNSimCore
internal import DequeModule

/// A connection of the capture while it is replayed.
final class ReplayConnection {
  enum Door {
    case gateway(GatewayConnection)
    case feedback(FeedbackConnection)
    case device(DeviceConnection)
    /// The simulator turned it away, or the capture does not begin it.
    case none
  }

  let name: ConnectionID
  let listener: Listener
  let door: Door
  var answers: AnswerComparison
  /// What the replay sends that its connection's latency keeps, and until when.
  private var underWay: [(until: Timestamp, bytes: [UInt8])] = []
  /// What the recording decided about notifications whose replay is not known yet.
  private var pending: Deque<CapturedNotification> = []
  /// The capture's number of the notification that was rejected last.
  var lastNotification: UInt64 = 0
  var lastNotificationName: String? { lastNotification > 0 ? "n\(lastNotification)" : nil }
  /// Who connected, of the gateway's connections that a capture begins.
  var opening: ConnectionOpening?
  /// Bytes are missing: what follows cannot be cut into frames.
  var isBroken = false
  /// It was open before the capture began: what had happened on it by then is not known.
  var wasOpenBefore = false
  /// Bytes that went to the provider are missing.
  var isAnswerUnknown = false
  /// Whether the capture has what went to the provider, even if that is nothing.
  var isAnswerSeen = false
  /// Whether the capture would show that the service ended it.
  var isEndSeen = false
  /// The capture has something that went to the provider.
  var hasRecordedAnswer = false
  /// A notification became something else than it was recorded to.
  var hasOtherVerdicts = false
  /// When its provider wrote last, or connected.
  var lastWrite = Timestamp(rawValue: 0)
  /// When the service ended it in the replay, if it did.
  private(set) var endedAt: Timestamp?
  /// A feedback list of which the capture does not say what was in it, nor anybody else.
  var isUnexplained = false

  init(name: ConnectionID, listener: Listener, door: Door) {
    self.name = name
    self.listener = listener
    self.door = door
    answers = AnswerComparison(isFeedback: listener == .feedback)
  }

  /// The connection's own name in the replay.
  var id: ConnectionID? {
    switch door {
    case .gateway(let connection): connection.id
    case .feedback(let connection): connection.id
    case .device(let connection): connection.id
    case .none: nil
    }
  }

  /// The error response that has still to leave.
  var pendingResponse: [UInt8] {
    guard case .gateway(let connection) = door else { return [] }
    return connection.pendingResponse
  }

  /// Whether the replay has more at the connection's end than the capture, which may have ended before it.
  var goesOn: Bool { !answers.lacks && (!answers.isSame() || endedAt != nil && !hasRecordedAnswer) }

  /// For how long its provider went on writing behind the end that the service made in the replay.
  var writtenBehindEnd: TimeSpan { endedAt.map { lastWrite - $0 } ?? .zero }

  /// Whether the capture has all that its answers came of, and all of them.
  var isComparable: Bool { !isBroken && !isAnswerUnknown && !wasOpenBefore }

  /// - Parameter now: when the gateway decides on it. Whatever it sends may arrive later, as a rule says.
  func note(_ ending: GatewayAction.Ending, at now: Timestamp) {
    switch ending {
    case .drain, .reset: endedAt = endedAt ?? now + latency
    case .none, .stopReading: break
    }
  }

  /// - Parameter now: when the gateway sends it.
  func addReplayed(_ bytes: [UInt8], at now: Timestamp) {
    if latency > .zero { underWay.append((now + latency, bytes)) } else { answers.addReplayed(bytes) }
  }

  /// The connection is over, or the capture is: what was to arrive later cannot have. An answer that the capture has
  /// did, however late the rule would have it: like other times, its own is not compared.
  func settleAnswers(by time: Timestamp) {
    for (until, bytes) in underWay where until <= time || answers.lacks { answers.addReplayed(bytes) }
    underWay = []
  }

  private var latency: TimeSpan {
    guard case .gateway(let connection) = door else { return .zero }
    return connection.plan.latency ?? .zero
  }

  var pendingCount: Int { pending.count }

  func add(pending notification: CapturedNotification) { pending.append(notification) }

  func takePending() -> CapturedNotification? { pending.popFirst() }
}
