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
      if case .answer? = effect, isSilence(submission, in: buffer) { continue }
      var goesOn = false
      if case .outage? = effect { goesOn = book.continueOutage(index, at: now) }
      guard goesOn || !book.entries[index].isSpent && book.count(index, &random) else { continue }
      if !goesOn, case .outage(let outage)? = effect { book.beginOutage(index, outage, at: now) }
      record.rule = UInt16(truncatingIfNeeded: index + 1)
      return book.decision(of: index, submission.interface)
    }
    guard configuration.magicTokens, let magic = MagicToken(submission.token(in: buffer)) else {
      return .proceed
    }
    record.magic = true
    return isSpent(magic, submission, in: buffer) ? .proceed : Decision(magic, submission.interface)
  }

  /// True for a token that asks for its request to be sent again, and has done so: the next one is delivered.
  private mutating func isSpent(
    _ magic: MagicToken,
    _ submission: Submission,
    in buffer: UnsafeRawBufferPointer
  ) -> Bool {
    guard case .http2 = submission.interface, magic.invitesRetry, configuration.rules.have(.retriedToken)
    else { return false }
    let token = submission.token(in: buffer)
    return token[token.count - 1] != MagicToken.always && !book.spentTokens.spend(token)
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

  /// True for a frame that gets no error response where no script decides: a fault of answers waits for one that does.
  private func isSilence(_ submission: Submission, in buffer: UnsafeRawBufferPointer) -> Bool {
    guard let command = submission.interface.command else { return false }
    if BinaryInterface.silence(about: .token, command: command, configuration.quirks) != nil { return true }
    guard submission.failedContent == .none else { return false }
    let token = submission.token(in: buffer)
    if let known = devices.find(app: submission.app, token: token), isGood(known) { return true }
    return devices.liveDevices < configuration.limits.devices && mayBeMade(token, app: submission.app)
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

  /// Conditions that only requests have; a rule that does not ask for a reason is for requests that nothing is wrong with by
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
    let status = RequestStatus(reason)
    let view = RequestView(evidence, evidence.authorization, status: status, setup.requestRules)
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
