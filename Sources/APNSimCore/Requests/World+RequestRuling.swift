import APNSimWire

/// What becomes of one request, from its checks to its device.
extension World {
  /// What a request is answered with, and when.
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
    /// The fault that decided, for the connection to have.
    var fault: Fault?
    /// The answer of a rule, in place of the reason's.
    var script: ScriptedAnswer?
    var channels = ChannelAnswer()
    /// The status where it was accepted.
    var success: UInt16 = 200
    /// There is no answer.
    var isSilent = false
    var ending = ConnectionEnding.none

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

  /// Judges a request, settles its notification and keeps its record.
  mutating func settle(
    _ submission: inout Submission,
    _ prepared: PreparedRequest,
    in bytes: UnsafeRawBufferPointer,
    read: UInt32,
    on connection: RequestRecord
  ) -> RequestOutcome {
    let number = history.nextNumber
    let place = connection.counts.received + 1
    let slot = beginRecord(of: &submission, in: bytes, on: connection.id, read: read, .rejected)
    var record = slot.pointee
    record.isPayloadJudged = prepared.fields.hasPayload
    record.problem = prepared.verdict.problem
    record.problemOffset = Int32(truncatingIfNeeded: prepared.verdict.offset)
    let standing = standing(of: submission, prepared, in: bytes, on: connection)
    var verdict = RequestJudge.judge(
      prepared.head,
      in: bytes,
      body: submission.payload(in: bytes),
      rules: setup.requestRules,
      world: standing.answers
    )
    var outcome = RequestOutcome(number: number)
    if verdict.reason == .expiredProviderToken || connection.isBroken {
      takeStale(&verdict, &outcome, on: connection)
    }
    rule(on: &submission, verdict, standing, among: connection.rules, at: place, in: bytes, &record, &outcome)
    record.isAnswerLater = (outcome.delay > .zero || outcome.bodyDelay != nil) && !outcome.isSilent
    let status = outcome.status
    record.status = status.rawValue
    if status.rawValue == RequestStatus.scripted {
      (record.isPayloadJudged, record.problem, record.problemOffset) = (false, .none, status.note)
    }
    record.entry = record.outcome
    slot.pointee = record
    keep(record)
    tally.countRequest(record.entry)
    return outcome
  }

  /// What a stale provider token, an hour without a request, or a fault before does beside being refused.
  private func takeStale(
    _ verdict: inout RequestVerdict,
    _ outcome: inout RequestOutcome,
    on connection: RequestRecord
  ) {
    if connection.isBroken || configuration.quirks.contains(.stickyServerError) {
      connection.isBroken = true
      (verdict.failed, verdict.reason) = (.authorization, .internalServerError)
    } else if configuration.quirks.contains(.silentStaleToken) {
      outcome.isSilent = true
    }
  }

  private mutating func rule(
    on submission: inout Submission,
    _ verdict: RequestVerdict,
    _ standing: RequestStanding,
    among rules: [Int],
    at place: UInt64,
    in bytes: UnsafeRawBufferPointer,
    _ record: inout NotificationRecord,
    _ outcome: inout RequestOutcome
  ) {
    var decision = Decision.proceed
    // A script is asked where nothing is wrong with the request by itself; whose token it is does not matter to it.
    let isOfToken = [.deviceToken, .registration, .tokenTopic].contains(verdict.failed)
    let isRefused = verdict.failed != .none && !isOfToken
    if isRefused { submission.failed = .request }
    // A token that was not read is none that scripts itself.
    let isMagic = !isRefused && submission.fields.hasToken && mayBeMagic(submission.token(in: bytes))
    // Its device, which does not have the app, may be none yet: a rule that asks for a reason has it nevertheless.
    let isGone = isMagic && isAppGone(submission.token(in: bytes), verdict)
    if !rules.isEmpty || isMagic {
      decision = decide(
        on: submission,
        in: bytes,
        among: rules,
        at: place,
        reason: isGone ? .unregistered : verdict.reason,
        into: &record
      )
    }
    var (verdict, standing) = (verdict, standing)
    let isGoneForRule = isGone && isDecidedByReason(record)
    if isGoneForRule {
      (verdict.failed, verdict.reason) = (.registration, .unregistered)
      standing.tokenFault = .none
    }
    switch decision {
    case .proceed, .device, .late: break
    case .reply(let reply):
      refuse(.rule, Reason(counterpartOf: reply.status), submission, in: bytes, &record, &outcome)
      outcome.delay = max(.zero, reply.delay)
      // The reset that follows an error packet follows an answer, or overtakes it.
      if reply.resets { outcome.ending = .reset }
      if reply.isLost { outcome.isSilent = true }
      return
    case .answer(let index):
      guard let answer = scriptedAnswer(ofRule: index) else { break }
      outcome.script = answer
      outcome.delay = max(.zero, answer.delay)
      if answer.accepts, verdict.reason == nil { break }
      answerAsScripted(answer, standing, submission, in: bytes, &record, &outcome)
      return
    case .reason(let reason):
      return refuse(.rule, reason, submission, in: bytes, &record, &outcome)
    case .end(let ending):
      refuse(.rule, .internalServerError, submission, in: bytes, &record, &outcome)
      (outcome.isSilent, outcome.ending) = (true, ending)
      return
    case .swallow:
      record.outcome = .dropped
      noteOwner(of: submission, in: bytes, into: &record)
      return
    case .request(let fault):
      outcome.fault = fault
      guard passes(fault, submission, in: bytes, &record, &outcome) else { return }
    }
    if case .device(let magic) = decision, magic.kind == .react { outcome.delay = magic.span }
    if isGoneForRule { standing.registration = removeApp(of: submission, in: bytes) }
    var failed = verdict
    // A token that scripts itself is a device under every policy.
    if record.magic, verdict.failed == .deviceToken { failed = RequestVerdict() }
    if case .late = decision { failed = RequestVerdict() }
    if let reason = failed.reason {
      outcome.timestamp = standing.expired
      if failed.failed == .registration, standing.expired == nil { refuseAtOnce(standing, &outcome) }
      return refuse(
        Check(failed.failed),
        reason,
        submission,
        in: bytes,
        &record,
        &outcome,
        standing.tokenFault
      )
    }
    if verdict.isDropped {
      record.outcome = .dropped
      noteOwner(of: submission, in: bytes, into: &record)
      return
    }
    if standing.isStale {
      record.outcome = .dropped
      return ignoreStale(outcome.number)
    }
    if let action = standing.channelAction {
      record.outcome = perform(action, submission, in: bytes, record, &outcome)
      return
    }
    let isOnline = if case .device(let magic) = decision { magic.kind != .offline } else { true }
    if isGoneForRule, let gone = standing.registration {
      record.registration = gone
    } else {
      resolveToken(of: &submission, standing.registration, isOnline: isOnline, in: bytes, into: &record)
    }
    guard record.failed == .none else {
      let reason = record.tokenFault == .tooManyDevices ? Reason.internalServerError : .badDeviceToken
      return refuse(.token, reason, submission, in: bytes, &record, &outcome, record.tokenFault)
    }
    // The device of a token that removes its app refuses at once, as any that is online.
    if case .device(let magic) = decision, magic.kind == .uninstalled {
      devices.uninstall(record.registration)
      if devices.disowned(record.registration) == nil { refuse(record.registration) }
      outcome.timestamp = devices.disowned(record.registration)?.rawValue
      return refuse(.request, .unregistered, submission, in: bytes, &record, &outcome)
    }
    settleRequest(&submission, decision, in: bytes, &record)
    if standing.isOfActivity { note(standing, submission, in: bytes, record, outcome.number) }
    // What is under way to a device that takes its time was answered at once.
    if record.isUnderway, outcome.script == nil, outcome.fault == nil { outcome.delay = .zero }
  }

  /// True for a token that removes its app, where nothing else is wrong with its request: the service would give
  /// Unregistered, whether it has seen the token before or not.
  private func isAppGone(_ token: UnsafeRawBufferPointer, _ verdict: RequestVerdict) -> Bool {
    guard !verdict.isDropped, verdict.failed == .none || verdict.failed == .deviceToken else { return false }
    return MagicToken(token)?.kind == .uninstalled
  }

  /// True where the rule that decided asks for the reason that the service would give.
  private func isDecidedByReason(_ record: NotificationRecord) -> Bool {
    record.rule > 0 && book.entries[Int(record.rule) - 1].rule.asksForReason
  }

  /// Decides what a fault does to its request.
  /// - Returns: false where nothing else becomes of it.
  private mutating func passes(
    _ fault: Fault,
    _ submission: Submission,
    in bytes: UnsafeRawBufferPointer,
    _ record: inout NotificationRecord,
    _ outcome: inout RequestOutcome
  ) -> Bool {
    switch fault {
    case .goaway(let goAway):
      let stream = RequestEvidence(bytes)?.stream ?? 0
      guard goAway.lastAnswered(at: stream) < stream else { return true }
      record.outcome = .discarded
      outcome.isSilent = true
      if submission.fields.hasToken { noteOwner(of: submission, in: bytes, into: &record) }
      return false
    case .unanswered(let isDelivered):
      outcome.isSilent = true
      if isDelivered { return true }
      refuse(.rule, .internalServerError, submission, in: bytes, &record, &outcome)
      return false
    case .resetStream:
      outcome.isSilent = true
      refuse(.rule, .internalServerError, submission, in: bytes, &record, &outcome)
      return false
    case .stickyServerError:
      refuse(.rule, .internalServerError, submission, in: bytes, &record, &outcome)
      return false
    case .slowAnswer(let headers, let body):
      outcome.delay = headers
      if body > .zero { outcome.bodyDelay = body }
      return true
    default: return true
    }
  }

  /// The answer of the rule at a place of the book.
  private func scriptedAnswer(ofRule index: UInt16) -> ScriptedAnswer? {
    switch book.entries[Int(index)].rule.action {
    case .answer(let answer): answer
    case .fault(.unavailable(let outage)): outage.answer
    default: nil
    }
  }

  /// A rule's answer stands for the service's own, and nothing reaches a device.
  private mutating func answerAsScripted(
    _ answer: ScriptedAnswer,
    _ standing: RequestStanding,
    _ submission: Submission,
    in bytes: UnsafeRawBufferPointer,
    _ record: inout NotificationRecord,
    _ outcome: inout RequestOutcome
  ) {
    (record.failed, record.outcome) = answer.accepts ? (.none, .dropped) : (.rule, .rejected)
    outcome.reason = answer.reason
    switch answer.timestamp {
    case .at(let moment): outcome.timestamp = moment.rawValue
    case .ago(let span): outcome.timestamp = (now + -span).rawValue
    case nil where answer.status == 410:
      let disowned = standing.registration.flatMap { devices.disowned($0) }
      outcome.timestamp = (disowned ?? now).rawValue
    case nil: break
    }
    if submission.fields.hasToken { noteOwner(of: submission, in: bytes, into: &record) }
  }

  /// A push of the type `liveactivity` was accepted: its device looks at it now, or when it is back.
  private mutating func note(
    _ standing: RequestStanding,
    _ submission: Submission,
    in bytes: UnsafeRawBufferPointer,
    _ record: NotificationRecord,
    _ number: UInt64
  ) {
    switch record.outcome {
    case .delivered:
      let route = standing.activity.map { ActivityRoute.activity($0) } ?? .app
      showActivity(submission.payload(in: bytes), number, on: record.registration, by: route)
    case .stored where !record.isUnderway:
      activities.noteWaiting(number, for: standing.activity, on: record.registration)
    default: break
    }
  }

  private mutating func refuse(
    _ check: Check,
    _ reason: Reason,
    _ submission: Submission,
    in bytes: UnsafeRawBufferPointer,
    _ record: inout NotificationRecord,
    _ outcome: inout RequestOutcome,
    _ fault: TokenFault = .none
  ) {
    record.failed = check
    record.tokenFault = fault
    record.outcome = .rejected
    outcome.reason = reason
    // A status of 410 says since when.
    if reason.status == 410, outcome.timestamp == nil { outcome.timestamp = now.rawValue }
    if submission.fields.hasToken { noteOwner(of: submission, in: bytes, into: &record) }
  }

  /// A device that is online and does not have the app says so, and the feedback service lists it.
  private mutating func refuseAtOnce(_ standing: RequestStanding, _ outcome: inout RequestOutcome) {
    guard let registration = standing.registration else { return }
    if standing.answers.registration == .expiredToken {
      outcome.timestamp = devices.expiration(of: registration)?.rawValue
      return
    }
    if devices.disowned(registration) == nil { refuse(registration) }
    outcome.timestamp = devices.disowned(registration)?.rawValue
  }
}

extension Check {
  /// The neutral check that a check of a request is.
  init(_ check: RequestCheck) {
    self =
      switch check {
      case .none: .none
      case .deviceTokenPresence: .tokenPresence
      case .topicPresence, .topic: .topic
      case .priority: .priority
      case .payloadPresence: .payloadPresence
      case .payloadSize: .payloadSize
      case .deviceToken, .tokenTopic: .token
      default: .request
      }
  }
}
