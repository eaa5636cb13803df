internal import APNSimWire

/// Where scripts decide: rules first, then magic tokens, then nothing unusual.
extension World {
  /// What is to happen to a notification whose structure is right.
  enum Decision {
    case proceed
    case reply(Reply)
    /// Accepted and delivered to nobody.
    case swallow
    /// The connection ends here without a packet.
    case end(GatewayAction.Ending)
    /// The token says what its device is like.
    case device(MagicToken)
  }

  /// Decides about a notification and notes in its record which rule did.
  mutating func decide(
    _ judged: JudgedFrame,
    in buffer: UnsafeRawBufferPointer,
    on connection: ConnectionRecord,
    record: inout NotificationRecord
  ) -> Decision {
    payloadPairs.forget()
    let pairs = book.pairs
    for index in connection.rules {
      let place = connection.counts.received + 1
      guard book.probes[index].couldFit(judged, at: place, in: buffer, &payloadPairs, pairs),
        book.isReady(index)
      else { continue }
      guard fits(book.entries[index].rule.when, judged.frame, in: buffer, on: connection) else { continue }
      guard book.count(index, &random) else { continue }
      record.rule = UInt16(truncatingIfNeeded: index + 1)
      return decision(of: book.entries[index].rule.action)
    }
    guard configuration.magicTokens,
      let magic = MagicToken(judged.frame.token(in: buffer))
    else { return .proceed }
    record.magic = true
    return decision(of: magic)
  }

  /// What the rule or the token of a notification in the history decided; nil where neither did.
  func decision(of record: NotificationRecord, _ frame: Frame?, in bytes: UnsafeRawBufferPointer) -> Decision?
  {
    let index = Int(record.rule) - 1
    if book.entries.indices.contains(index) { return decision(of: book.entries[index].rule.action) }
    guard record.magic, let frame, let magic = MagicToken(frame.token(in: bytes)) else { return nil }
    return decision(of: magic)
  }

  private func decision(of action: Rule.Action) -> Decision {
    switch action {
    case .reply(let reply): .reply(reply)
    case .fault(.swallow): .swallow
    case .fault(.close): .end(.drain)
    case .fault(.reset): .end(.reset)
    case .fault(.stopReading): .end(.stopReading)
    case .fault, .proceed: .proceed
    }
  }

  private func decision(of magic: MagicToken) -> Decision {
    switch (magic.kind, magic.code) {
    case (.refuse, let code): .reply(Reply(status: StatusCode(rawValue: code)))
    case (.fault, 0): .end(.drain)
    case (.fault, 1): .end(.reset)
    case (.fault, 2): .swallow
    case (.fault, 3): .end(.stopReading)
    case (.fault, 4): .reply(Reply(status: .invalidToken, resets: true, isLost: true))
    case (.fault, _): .proceed
    case (.offline, _), (.uninstalled, _), (.react, _): .device(magic)
    }
  }

  private func fits(
    _ match: RuleMatch,
    _ frame: Frame,
    in buffer: UnsafeRawBufferPointer,
    on connection: ConnectionRecord
  ) -> Bool {
    if let nth = match.nth, !nth.matches(.number("\(connection.counts.received + 1)")) { return false }
    if let command = match.command, !command.matches(.number("\(frame.command)")) { return false }
    if let identifier = match.identifier {
      guard identifier.matches(frame.hasIdentifier ? .string(frame.identifier.hex) : nil) else {
        return false
      }
    }
    if let priority = match.priority {
      guard priority.matches(.number("\(frame.hasPriority ? frame.priority : 10)")) else { return false }
    }
    if let token = match.token, !token.matches(.string(Hex.encode(frame.token(in: buffer)))) { return false }
    if let device = match.device {
      let token = frame.token(in: buffer)
      let name = deviceName(of: token, app: connection.app)
      guard device.matches(name.map { .string($0) }) || isDevice(device, token, connection.app) else {
        return false
      }
    }
    guard !match.payload.isEmpty else { return true }
    guard let payload = try? JSONValue.parse(frame.payload(in: buffer)) else { return false }
    return match.payload.allSatisfy { $0.matcher.matches(payload[$0.path]) }
  }

  /// Whether a device that has a name is called by one of its tokens instead.
  private func isDevice(_ matcher: Matcher, _ token: UnsafeRawBufferPointer, _ app: UInt16) -> Bool {
    guard case .equals(.string(let text)) = matcher, text.utf8.count >= 2 * token.count,
      let known = devices.find(app: app, token: token), let meant = try? find(device: text)
    else { return false }
    return devices.registrations[known].device == meant
  }

  // MARK: Change

  mutating func add(_ rule: Rule) throws(CommandError) {
    guard book.add(rule) != nil else { throw .tooManyRules(limit: RuleBook.limit) }
    rulesChanged()
  }

  mutating func removeRule(_ name: String) throws(CommandError) {
    guard book.remove(name) else { throw .unknownRule(name) }
    rulesChanged()
  }

  mutating func clearRules() {
    book.removeAll()
    rulesChanged()
  }

  /// Open connections meet the rules as they are now; what was decided when they opened stays.
  mutating func rulesChanged() {
    for record in connections.values where record.isOpen { record.meet(book) }
  }

  // MARK: Connections

  /// What is unusual about a connection that opens.
  mutating func plan(_ listener: Listener, ordinal: UInt32, provider: ProviderIdentity) -> ConnectionPlan {
    var plan = ConnectionPlan()
    for index in book.candidates(listener, ordinal: ordinal, provider: provider, ofConnection: true) {
      guard case .fault(let fault) = book.entries[index].rule.action, !fault.isOfHandshake else { continue }
      // Of two faults of one kind the first one stays, and the other one has not fired.
      var more = plan
      more.add(fault)
      guard more != plan, book.isReady(index), book.count(index, &random) else { continue }
      plan = more
    }
    // What holds for every connection is what no rule says otherwise.
    if configuration.idleClose > .zero { plan.add(.idleClose(configuration.idleClose)) }
    return plan
  }

  /// How long the handshake of a new connection is to wait. Nothing but its listener is known of it yet.
  mutating func acceptDelay(_ listener: Listener, ordinal: UInt32) -> TimeSpan {
    let stranger = ProviderIdentity(topics: [], environment: .production, subject: "")
    var wasAsked = false
    for index in book.order {
      let rule = book.entries[index].rule
      guard case .fault(.acceptDelay(let span)) = rule.action,
        rule.when.fits(listener, ordinal: ordinal, provider: stranger)
      else { continue }
      wasAsked = true
      guard book.isReady(index), book.count(index, &random) else { continue }
      emit(.connectionArrived(listener, ordinal: ordinal, acceptDelay: span))
      return span
    }
    if wasAsked { emit(.connectionArrived(listener, ordinal: ordinal, acceptDelay: .zero)) }
    return .zero
  }

  /// Whether the certificate is to be refused in the handshake although it is good.
  mutating func refusal(
    _ listener: Listener,
    ordinal: UInt32,
    provider: ProviderIdentity
  ) -> Fault.HandshakeRefusal? {
    var wasAsked = false
    for index in book.candidates(listener, ordinal: ordinal, provider: provider, ofConnection: true) {
      guard case .fault(.refuseHandshake(let refusal)) = book.entries[index].rule.action else { continue }
      wasAsked = true
      guard book.isReady(index), book.count(index, &random) else { continue }
      emit(.certificateJudged(listener, ordinal: ordinal, provider, refusal))
      return refusal
    }
    if wasAsked { emit(.certificateJudged(listener, ordinal: ordinal, provider, nil)) }
    return nil
  }
}

extension Fault {
  /// Decided before a connection opens, by its own questions.
  var isOfHandshake: Bool {
    switch self {
    case .refuseHandshake, .acceptDelay: true
    default: false
    }
  }
}
