import APNSimWire

extension World {
  /// The answer to a request, and its moment.
  struct RequestOutcome {
    /// The number of its notification.
    var number: UInt64
    /// Nil where it was accepted.
    var reason: Reason?
    /// When the device said that it does not have the app, in milliseconds.
    var timestamp: Int64?
    var delay = TimeSpan.zero
    /// The time from the answer's headers to its body; nil where it leaves whole.
    var bodyDelay: TimeSpan?
    var cut = AnswerCut.none
    private var special: Special?
    /// A rule or a magic token gave the reason, and nothing that the provider did.
    var isByScript = false
    /// The status where it was accepted.
    var success: UInt16 = 200
    /// There is no answer.
    var isSilent = false
    var ending = ConnectionEnding.none

    /// The parts that few outcomes have, in a piece of memory of its own: an outcome is copied on its way.
    private final class Special {
      let fault: Fault?
      let script: ScriptedAnswer?
      let channels: ChannelAnswer

      init(_ fault: Fault?, _ script: ScriptedAnswer?, _ channels: ChannelAnswer) {
        (self.fault, self.script, self.channels) = (fault, script, channels)
      }
    }

    init(number: UInt64) { self.number = number }

    /// It has a fault, an answer of a rule, or a word on channels.
    var isSpecial: Bool { special != nil }

    /// The fault that decided, for the connection to have.
    var fault: Fault? {
      get { special?.fault }
      set { special = Special(newValue, script, channels) }
    }

    /// The answer of a rule, in place of the reason's.
    var script: ScriptedAnswer? {
      get { special?.script }
      set { special = Special(fault, newValue, channels) }
    }

    var channels: ChannelAnswer {
      get { special?.channels ?? ChannelAnswer() }
      set { special = Special(fault, script, newValue) }
    }

    /// Its answer leaves later than at once.
    var isLater: Bool { (delay > .zero || bodyDelay != nil) && !isSilent }

    /// The time until all of the answer has left.
    var wholeDelay: TimeSpan {
      let (sum, overflow) = delay.milliseconds.addingReportingOverflow(bodyDelay?.milliseconds ?? 0)
      return TimeSpan(milliseconds: overflow ? .max : sum)
    }

    /// The answer in the record's byte.
    var status: RequestStatus {
      if isSilent { return .unanswered }
      return script.map { RequestStatus(status: $0.status, reason: $0.reason) }
        ?? RequestStatus(status: reason?.status ?? success, reason: reason)
    }
  }
}

extension World.RequestOutcome {
  /// Takes over what a decision says of the answer, whatever comes of the notification.
  /// - Parameter script: the answer of the rule that decided, where it has one.
  mutating func take(_ decision: Decision, _ script: ScriptedAnswer?) {
    switch decision {
    case .proceed, .late, .swallow, .reason: break
    case .device(let magic): if magic.kind == .react { delay = magic.span }
    case .reply(let reply):
      delay = max(.zero, reply.delay)
      // The reset that follows an error packet follows an answer, or overtakes it.
      if reply.resets { ending = .reset }
      if reply.isLost { isSilent = true }
    case .answer:
      self.script = script
      if let script { delay = max(.zero, script.delay) }
    case .end(let ending): (isSilent, self.ending) = (true, ending)
    case .request(let fault): take(fault)
    }
  }

  private mutating func take(_ fault: Fault) {
    self.fault = fault
    let effect = fault.ofAnswer
    if effect.isSilent { isSilent = true }
    if effect.delay > .zero { delay = effect.delay }
    if effect.bodyDelay > .zero { bodyDelay = effect.bodyDelay }
    cut = effect.cut
  }
}

extension Decision {
  /// The reason for which it refuses a request; nil where it refuses none, and for an answer that a rule words.
  var refusalReason: Reason? {
    switch self {
    case .reply(let reply): Reason(counterpartOf: reply.status)
    case .reason(let reason): reason
    case .end, .request: .internalServerError
    case .proceed, .device, .late, .swallow, .answer: nil
    }
  }
}
