package import APNSimWire

/// A rule's answer to a request, in place of the service's own judgement.
package struct ScriptedAnswer: Hashable, Sendable {
  /// The moment that an answer of status 410 names.
  package enum Moment: Hashable, Sendable {
    case at(Timestamp)
    /// A span of simulated time before the answer.
    case ago(TimeSpan)
  }

  /// 200 to 599; a status of the class 2xx lets the notification through.
  package var status: UInt16
  /// The word in the body; nil for an answer without one.
  package var reason: Reason?
  /// Nil where the world says when the token was no longer valid, or else the moment of the answer.
  package var timestamp: Moment?
  /// The body in place of the one that the reason makes.
  package var body: String?
  /// Headers after the service's own, or in place of one of the same name.
  package var headers: [AnswerHeader]
  /// The answer leaves this much simulated time later.
  package var delay: TimeSpan

  /// - Parameter status: nil for the reason's.
  package init(
    status: UInt16? = nil,
    reason: Reason? = nil,
    timestamp: Moment? = nil,
    body: String? = nil,
    headers: [AnswerHeader] = [],
    delay: TimeSpan = .zero
  ) {
    self.status = status ?? reason?.status ?? 200
    (self.reason, self.timestamp, self.body, self.headers, self.delay) =
      (reason, timestamp, body, headers, delay)
  }

  /// The statuses that a final answer can have.
  package static let statuses = 200...599

  /// True for an answer that says the notification was accepted.
  var accepts: Bool { status < 300 }

  /// The status and the word, as people read them: `503 ServiceUnavailable`.
  var title: String { reason.map { "\(status) \($0.name())" } ?? "\(status)" }

  /// The binary interface's answer where this one is meant; nil where the notification passes.
  var binaryCounterpart: BinaryCounterpart? {
    if let reason { return reason.binaryCounterpart }
    return switch status {
    case ..<300: nil
    case 410: Reason.unregistered.binaryCounterpart
    case 413: Reason.payloadTooLarge.binaryCounterpart
    default: .status(.processingError)
    }
  }
}
