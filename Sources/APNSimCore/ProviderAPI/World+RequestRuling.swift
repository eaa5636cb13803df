import APNSimWire

/// The door of requests, before and after the ruling on one.
extension World {
  /// Judges a request, has it ruled on, makes its answer and keeps its record.
  mutating func settle(
    _ prepared: PreparedRequest,
    read: UInt32,
    on connection: RequestRecord
  ) -> RequestOutcome {
    let (submission, bytes) = (prepared.submission, prepared.bytes)
    let place = connection.counts.received + 1
    let slot = beginRecord(of: submission, in: bytes, on: connection.id, read: read, .rejected)
    var record = slot.pointee
    record.isPayloadJudged = submission.pointee.fields.hasPayload
    record.problem = submission.pointee.verdict.problem
    record.problemOffset = Int32(truncatingIfNeeded: submission.pointee.verdict.offset)
    var request = judged(prepared, on: connection)
    let ruling = rule(on: &request, among: connection.rules, at: place, into: &record)
    answer(&request, by: ruling, &record)
    // A token that is spent has staged nothing.
    if record.magic, case .proceed = ruling.decision, configuration.rules.have(.retriedToken),
      MagicToken(submission.pointee.token(in: bytes))?.invitesRetry == true
    {
      record.magic = false
    }
    record.isAnswerLater = request.outcome.isLater
    let status = request.outcome.status
    record.status = status.rawValue
    if status.rawValue == RequestStatus.scripted {
      (record.isPayloadJudged, record.problem, record.problemOffset) = (false, .none, status.note)
    }
    record.entry = record.outcome
    slot.pointee = record
    keep(record)
    tally.countRequest(record.entry)
    return request.outcome
  }

  /// Judges a request as far as no script is asked.
  private mutating func judged(
    _ prepared: PreparedRequest,
    on connection: RequestRecord
  ) -> JudgedRequest {
    let (submission, bytes) = (prepared.submission, prepared.bytes)
    let standing = standing(of: prepared, on: connection)
    var verdict = RequestJudge.judge(
      prepared.head,
      in: bytes,
      body: submission.pointee.payload(in: bytes),
      rules: setup.requestRules,
      world: standing.answers
    )
    var outcome = RequestOutcome(number: history.nextNumber)
    if connection.isBroken || verdict.isExpired { takeStale(&verdict, &outcome, on: connection) }
    // A script is asked where nothing is wrong with the request by itself; whose token it is does not matter to it.
    switch verdict.failed {
    case .deviceToken, .registration, .tokenTopic: break
    default: submission.pointee.failed = Check(verdict.failed)
    }
    return JudgedRequest(
      submission: submission,
      buffer: bytes,
      stream: prepared.stream,
      collapseId: prepared.head.collapseId,
      removesApp: removesApp(submission.pointee.token(in: bytes), verdict),
      standing: standing,
      verdict: verdict,
      outcome: outcome
    )
  }

  /// A provider token that is stale, or a connection that a fault has broken, is refused otherwise than judged: everything
  /// on the connection gets 500 from then on, or nothing is answered.
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

  /// True for a token that removes its app, where nothing else is wrong with its request.
  private func removesApp(_ token: UnsafeRawBufferPointer, _ verdict: RequestVerdict) -> Bool {
    guard mayBeMagic(token), verdict.failed == .none || verdict.failed == .deviceToken else { return false }
    return !verdict.isDropped && MagicToken(token)?.kind == .uninstalled
  }

  /// The answer of this interface to each ruling.
  private mutating func answer(
    _ request: inout JudgedRequest,
    by ruling: Ruling,
    _ record: inout NotificationRecord
  ) {
    let script = scriptedAnswer(by: ruling.decision)
    request.outcome.take(ruling.decision, script)
    switch ruling.fate {
    case .accepted:
      // Version 0.2 answered at once what is under way to a device that takes its time.
      if record.isUnderway, script == nil, request.outcome.fault == nil,
        !configuration.rules.have(.lateReaction)
      {
        request.outcome.delay = .zero
      }
    case .swallowed: if let script { answer(script, to: &request) }
    case .refused(.rule):
      request.outcome.isByScript = true
      if let script { answer(script, to: &request) } else { refuse(ruling.decision.refusalReason, &request) }
    case .refused:
      if request.verdict.reason == nil {
        refuse(record.tokenFault == .tooManyDevices ? .internalServerError : .badDeviceToken, &request)
      } else {
        record.tokenFault = request.standing.tokenFault
        request.outcome.timestamp = refusalTime(of: request)
        refuse(request.verdict.reason, &request)
      }
    case .discarded: request.outcome.isSilent = true
    }
  }

  /// The answer of the rule that has decided; nil where it has none.
  func scriptedAnswer(by decision: Decision) -> ScriptedAnswer? {
    if case .answer(let rule) = decision { book.entries[Int(rule)].answer } else { nil }
  }

  /// A rule's answer stands in place of the service's own.
  private func answer(_ script: ScriptedAnswer, to request: inout JudgedRequest) {
    request.outcome.reason = script.reason
    request.outcome.isByScript = true
    switch script.timestamp {
    case .at(let moment): request.outcome.timestamp = moment.rawValue
    case .ago(let span): request.outcome.timestamp = (now + -span).rawValue
    case nil where script.status == 410:
      let since = request.standing.registration.flatMap { devices.refusedSince($0) }
      request.outcome.timestamp = (since ?? now).rawValue
    case nil: break
    }
  }

  /// A status of 410 says since when.
  private func refuse(_ reason: Reason?, _ request: inout JudgedRequest) {
    request.outcome.reason = reason
    if reason?.status == 410, request.outcome.timestamp == nil { request.outcome.timestamp = now.rawValue }
  }

  /// The time from which a token is refused, in milliseconds: since it is dead. A device that does not have the app says so
  /// now, and the feedback service lists it.
  private mutating func refusalTime(of request: JudgedRequest) -> Int64? {
    guard request.standing.expired == nil, request.verdict.failed == .registration,
      let registration = request.standing.registration
    else { return request.standing.expired }
    if request.standing.answers.registration == .expiredToken {
      return devices.expiration(of: registration)?.rawValue
    }
    if devices.disowned(registration) == nil { refuse(registration) }
    return devices.refusedSince(registration)?.rawValue
  }
}

extension RequestVerdict {
  fileprivate var isExpired: Bool { if case .expiredProviderToken? = reason { true } else { false } }
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
