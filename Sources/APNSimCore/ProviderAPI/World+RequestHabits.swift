import APNSimWire

/// The habits of a provider that its requests show.
extension World {
  /// Takes note of a request that has been answered, or will be.
  mutating func noteHabits(of prepared: PreparedRequest, _ outcome: RequestOutcome, app: UInt16) {
    let head = prepared.head
    // A script's answer is nothing that the provider does.
    let reason = outcome.isByScript ? nil : outcome.reason
    let isTooSoon = reason == .tooManyProviderTokenUpdates
    apps[app].diligence.requestCame(
      token: isTooSoon ? nil : prepared.authorization.token?.number,
      at: now
    )
    guard head.target == .device else { return }
    switch reason {
    case .tooManyProviderTokenUpdates: note(.providerTokenUpdates, app)
    case .expiredProviderToken: note(.staleProviderToken, app)
    case .badDeviceToken: note(.badDeviceTokens, app)
    default: break
    }
    // A provider has been told by 410, whoever answers it.
    switch outcome.reason {
    case .unregistered, .expiredToken:
      let registration = history.notifications[outcome.number].registration
      guard registration != Registration.none else { break }
      if devices.registrations[registration].flags.contains(.told) { note(.sentToUnregisteredToken, app) }
      devices.noteTold(registration)
    default: break
    }
    if head.pushType == .background, head.priority == 10 { note(.backgroundAtPriority10, app) }
    if let expiration = head.expiration, 1...DiligenceLimits().longestDuration ~= expiration {
      note(.expirationAsDuration, app)
    }
    if outcome.reason == nil, contradiction(in: prepared) != nil { note(.contradictingPushType, app) }
    if let token = prepared.authorization.token {
      if token.isTimeText { note(.textTokenTime, app) }
      if token.isSignatureDER { note(.derTokenSignature, app) }
      if token.isOtherForm { note(.undocumentedTokenForm, app) }
    }
    if outcome.reason == nil, !head.pushTypeText.isPresent { note(.missingPushType, app) }
  }

  private func contradiction(in prepared: PreparedRequest) -> PushContradiction? {
    prepared.request.bytes.withUnsafeBytes { bytes in
      PushContradiction(prepared.head, prepared.verdict.facts) { prepared.fields.payload(in: bytes) }
    }
  }

  private mutating func note(_ kind: AdviceKind, _ app: UInt16) {
    apps[app].diligence.requested(kind, at: now)
  }
}
