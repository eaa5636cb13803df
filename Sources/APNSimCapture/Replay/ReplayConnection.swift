import APNSimCore
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
  let listener: Listener
  let door: Door
  var answers: AnswerComparison
  /// What became of requests that the capture has no verdicts on, and of those without an answer.
  var streams = StreamComparison(isForTaking: true)
  /// True where the capture has every answer to its requests.
  var areAnswersComplete = false
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
  /// True after missing bytes: the following ones cannot be cut into frames.
  var isBroken = false
  /// True for a connection that was open before the capture, whose history is not known.
  var wasOpenBefore = false
  /// True where bytes to the provider are missing.
  var isAnswerUnknown = false
  /// True where the capture has the answers to the provider, even if there are none.
  var isAnswerSeen = false
  /// True where the capture would show that the service ended it.
  var isEndSeen = false
  /// True where the capture has bytes to the provider.
  var hasRecordedAnswer = false
  /// True where a verdict differs from the recorded one.
  var hasOtherVerdicts = false
  /// True where it has ended, and everything of it was compared.
  var isOver = false
  /// The time when its provider wrote last, or connected.
  var lastWrite = Timestamp(rawValue: 0)
  /// The time when the service ended it in the replay; nil where it did not.
  private(set) var endedAt: Timestamp?
  /// True for a feedback list whose content the capture does not explain.
  var isUnexplained = false

  init(name: ConnectionID, listener: Listener, door: Door) {
    self.name = name
    self.listener = listener
    self.door = door
    answers = AnswerComparison(isFeedback: listener == .feedback)
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

  /// The error response that waits to be sent.
  var pendingResponse: [UInt8] {
    guard case .gateway(let connection) = door else { return [] }
    return connection.pendingResponse
  }

  /// True where the replay has more at the connection's end than the capture, which may have ended before it.
  var goesOn: Bool { !answers.lacks && (!answers.isSame() || endedAt != nil && !hasRecordedAnswer) }

  /// The time for which its provider went on writing after the service ended it in the replay.
  var writtenBehindEnd: TimeSpan { endedAt.map { lastWrite - $0 } ?? .zero }

  /// True where the capture has all causes of its answers, and all answers.
  var isComparable: Bool { !isBroken && !isAnswerUnknown && !wasOpenBefore }

  /// - Parameter now: the time of the gateway's decision. The end may arrive later, by a rule's latency.
  func note(_ ending: ConnectionEnding, at now: Timestamp) {
    switch ending {
    case .drain, .reset: endedAt = endedAt ?? output.endArrival(at: now)
    case .none, .stopReading: break
    }
  }

  /// - Parameter now: the time at which the gateway sends them.
  func addReplayed(_ bytes: [UInt8], at now: Timestamp) {
    guard !output.isImmediate else { return answers.addReplayed(bytes) }
    for piece in output.pieces(of: bytes.count, at: now) {
      underWay.append((piece.arrival, Array(bytes[piece.range])))
    }
  }

  /// Drops delayed answers at the end of the connection or of the capture, after which they cannot have arrived. An
  /// answer that the capture has did arrive, however late the rule would have it: like other times, this one is not
  /// compared.
  func settleAnswers(by time: Timestamp) {
    for (until, bytes) in underWay where until <= time || answers.lacks { answers.addReplayed(bytes) }
    underWay = []
  }

  var pendingCount: Int { pending.count }

  func add(pending notification: CapturedNotification) { pending.append(notification) }

  func takePending() -> CapturedNotification? { pending.popFirst() }
}
