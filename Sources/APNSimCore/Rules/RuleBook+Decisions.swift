import APNSimWire

/// The decisions of rules and magic tokens, as far as they say them themselves.
extension RuleBook {
  /// The decision of the rule or the token of a notification in the history; nil where neither did.
  /// - Parameter token: the notification's.
  func decision(on record: NotificationRecord, token: UnsafeRawBufferPointer) -> Decision? {
    let index = Int(record.rule) - 1
    if entries.indices.contains(index) { return decision(of: index, record.interface) }
    guard record.magic, let magic = MagicToken(token) else { return nil }
    return Decision(magic, record.interface)
  }

  /// The decision of a rule, by its place in the book, on a notification of an interface.
  func decision(of index: Int, _ interface: Interface) -> Decision {
    guard let answer = entries[index].answer else { return Decision(entries[index]) }
    if case .http2 = interface { return .answer(rule: UInt16(truncatingIfNeeded: index)) }
    return Decision(answer.binaryCounterpart, delay: answer.delay)
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

  /// The decision of a magic token.
  init(_ magic: MagicToken, _ interface: Interface) {
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

  /// The decision on a frame where a request would have an answer; nil lets it pass.
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
