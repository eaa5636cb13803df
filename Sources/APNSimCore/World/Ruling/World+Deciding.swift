import APNSimWire

/// The decision of scripts: rules first, then magic tokens, then nothing unusual.
extension World {
  /// Decides about a notification and notes in its record which rule did.
  /// - Parameters:
  ///   - rules: the rules it can meet, in order, by their places in the book.
  ///   - place: its place on its connection, from 1.
  ///   - reason: the reason that a request is refused for, where nothing else decides.
  mutating func decide(
    on submission: Submission,
    in buffer: UnsafeRawBufferPointer,
    among rules: [Int],
    at place: UInt64,
    reason: Reason? = nil,
    into record: inout NotificationRecord
  ) -> Decision {
    book.beginNotification()
    for index in rules {
      guard book.couldFire(index, on: submission, at: place, in: buffer) else { continue }
      guard fits(book.entries[index].rule.when, submission, reason, at: place, in: buffer) else { continue }
      let effect = book.entries[index].effect
      if case .late(let lag)? = effect {
        guard reason == .unregistered, isLate(index, lag, submission, in: buffer) else { continue }
      }
      var goesOn = false
      if case .outage? = effect { goesOn = book.continueOutage(index, at: now) }
      guard goesOn || !book.entries[index].isSpent && book.count(index, &random) else { continue }
      if !goesOn, case .outage(let outage)? = effect { book.beginOutage(index, outage, at: now) }
      record.rule = UInt16(truncatingIfNeeded: index + 1)
      return decision(of: index, submission.interface)
    }
    guard configuration.magicTokens, let magic = MagicToken(submission.token(in: buffer)) else {
      return .proceed
    }
    record.magic = true
    return Decision(magic, submission.interface)
  }

  /// The decision of the rule or the token of a notification in the history; nil where neither did.
  /// - Parameter token: the notification's.
  func decision(on record: NotificationRecord, token: UnsafeRawBufferPointer) -> Decision? {
    let index = Int(record.rule) - 1
    if book.entries.indices.contains(index) { return decision(of: index, record.interface) }
    guard record.magic, let magic = MagicToken(token) else { return nil }
    return Decision(magic, record.interface)
  }

  /// The decision of a rule, by its place in the book, on a notification of an interface.
  private func decision(of index: Int, _ interface: Interface) -> Decision {
    guard let answer = book.entries[index].answer else { return Decision(book.entries[index]) }
    if case .http2 = interface { return .answer(rule: UInt16(truncatingIfNeeded: index)) }
    return Decision(answer.binaryCounterpart, delay: answer.delay)
  }

  /// True for a token whose app is gone that a rule still lets pass. The device of one that removes its app by itself is
  /// made here, where this is the first notification to it.
  private mutating func isLate(
    _ index: Int,
    _ lag: Fault.Lag,
    _ submission: Submission,
    in buffer: UnsafeRawBufferPointer
  ) -> Bool {
    let token = submission.token(in: buffer)
    let isRemoving = mayBeMagic(token) && MagicToken(token)?.kind == .uninstalled
    let found =
      isRemoving ? removeApp(of: submission, in: buffer) : devices.find(app: submission.app, token: token)
    guard let known = found else { return false }
    return book.isLate(index, lag, known, since: devices.disowned(known) ?? now, at: now)
  }

  /// True where the conditions of a notification hold; those of its connection are tested before.
  func fits(
    _ match: RuleMatch,
    _ submission: Submission,
    _ reason: Reason?,
    at place: UInt64,
    in buffer: UnsafeRawBufferPointer
  ) -> Bool {
    let fields = submission.fields
    guard fitsRequest(match, submission, reason, in: buffer) else { return false }
    if let nth = match.nth, !nth.matches(.number("\(place)")) { return false }
    if let command = match.command {
      guard command.matches(submission.interface.command.map { .number("\($0)") }) else { return false }
    }
    if let identifier = match.identifier {
      guard identifier.matches(fields.hasIdentifier ? .string(fields.identifier.hex) : nil) else {
        return false
      }
    }
    if let priority = match.priority {
      guard priority.matches(.number("\(fields.hasPriority ? fields.priority : 10)")) else { return false }
    }
    let token = submission.token(in: buffer)
    if let matcher = match.token, !matcher.matches(.string(Hex.encode(token))) { return false }
    if let device = match.device {
      let name = deviceName(of: token, app: submission.app)
      guard device.matches(name.map { .string($0) }) || isDevice(device, token, submission.app) else {
        return false
      }
    }
    guard !match.payload.isEmpty else { return true }
    guard let payload = try? JSONValue.parse(submission.payload(in: buffer)) else { return false }
    return match.payload.allSatisfy { $0.matcher.matches(payload[$0.path]) }
  }

  /// What only requests have; a rule that does not ask for a reason is for requests that nothing is wrong with by
  /// themselves.
  private func fitsRequest(
    _ match: RuleMatch,
    _ submission: Submission,
    _ reason: Reason?,
    in buffer: UnsafeRawBufferPointer
  ) -> Bool {
    if match.reason == nil, submission.failed != .none { return false }
    guard case .http2 = submission.interface else { return !match.asksForRequest }
    if let topic = match.topic, !topic.matches(.string(apps[submission.app].key.topic)) { return false }
    guard match.asksForRequest else { return true }
    guard let evidence = RequestEvidence(submission.bytes(in: buffer))
    else { return false }
    let view = RequestView(evidence, status: RequestStatus(reason), setup.requestRules)
    let tests: [(Matcher?, String)] = [
      (match.pushType, "pushType"), (match.collapseId, "collapseId"), (match.apnsId, "apnsId"),
      (match.stream, "stream"),
    ]
    guard tests.allSatisfy({ matcher, path in matcher?.matches(view.value(at: path)) ?? true }) else {
      return false
    }
    guard let matcher = match.reason else { return true }
    guard let reason else { return matcher.matches(nil) }
    // Either word of one that is documented otherwise than it is sent.
    return matcher.matches(.string(reason.name())) || matcher.matches(.string(reason.name(documented: true)))
  }

  /// True where a device that has a name is called by one of its tokens instead.
  private func isDevice(_ matcher: Matcher, _ token: UnsafeRawBufferPointer, _ app: UInt16) -> Bool {
    guard case .equals(.string(let text)) = matcher, text.utf8.count >= 2 * token.count,
      let known = devices.find(app: app, token: token), let meant = try? find(device: text)
    else { return false }
    return devices.registrations[known].device == meant
  }
}

extension RuleBook.Entry {
  /// True for one that holds for a request by the reason that the service would give.
  var asksForReason: Bool {
    if case .late? = effect { return true }
    return rule.when.reason != nil
  }

  /// The rule's answer to a request; nil where it has none.
  var answer: ScriptedAnswer? {
    if case .answer(let answer) = rule.action { return answer }
    return if case .outage(let outage)? = effect { outage.answer } else { nil }
  }
}

extension Decision {
  /// The decision of a rule that has no answer for requests.
  fileprivate init(_ entry: RuleBook.Entry) {
    self =
      switch entry.rule.action {
      case .reply(let reply): .reply(reply)
      case .fault(let fault): Decision(fault, entry.effect)
      case .answer, .proceed: .proceed
      }
  }

  private init(_ fault: Fault, _ effect: FaultEffect?) {
    self =
      switch effect {
      case .swallow: .swallow
      case .end(let ending, _): .end(ending)
      case .late: .late
      case .answer: .request(fault)
      // Answered, or decided when the connection opens, or before.
      case .outage, .refuse, .wait, .plan, nil: .proceed
      }
  }

  fileprivate init(_ magic: MagicToken, _ interface: Interface) {
    self =
      switch (magic.kind, magic.code) {
      case (.reason, let code): Self.reason(code, interface)
      case (.refuse, let code): .reply(Reply(status: StatusCode(rawValue: code)))
      case (.fault, 0): .end(.drain)
      case (.fault, 1): .end(.reset)
      case (.fault, 2): .swallow
      case (.fault, 3): .end(.stopReading)
      case (.fault, 4): .reply(Reply(status: .invalidToken, resets: true, isLost: true))
      case (.fault, _): .proceed
      case (.requestFault, let code): Self.requestFault(code, interface)
      case (.offline, _), (.uninstalled, _), (.react, _): .device(magic)
      }
  }

  /// The last code of a magic token that names a reason: those of broadcast alone have none.
  private static var lastReason: UInt8 { Reason.shutdown.rawValue }

  /// The reason of a number, and for a frame its counterpart; nothing unusual where there is no such reason.
  private static func reason(_ code: UInt8, _ interface: Interface) -> Decision {
    guard code <= lastReason, let reason = Reason(rawValue: code) else { return .proceed }
    if case .http2 = interface { return .reason(reason) }
    return Decision(reason.binaryCounterpart)
  }

  /// What a frame gets for an answer to a request; nil lets it pass.
  fileprivate init(_ counterpart: BinaryCounterpart?, delay: TimeSpan = .zero) {
    self =
      switch counterpart {
      case .status(let status): .reply(Reply(status: status, delay: delay))
      case .feedback: .device(MagicToken(kind: .uninstalled, code: 0))
      case .handshake, .close: .end(.drain)
      case nil: .proceed
      }
  }
}
