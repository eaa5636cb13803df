import APNSimWire

/// The habits of a provider that its requests show.
extension World {
  /// Takes note of a request that has been answered, or will be.
  mutating func noteHabits(of prepared: PreparedRequest, _ outcome: RequestOutcome, app: UInt16) {
    let authorization = prepared.authorization
    // A script's answer is nothing that the provider does.
    let reason = outcome.isByScript ? nil : outcome.reason
    var token = authorization.number
    if case .tooManyProviderTokenUpdates? = reason { token = nil }
    apps[app].diligence.requestCame(token: token, at: now)
    guard case .device = prepared.head.target else { return }
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
    if case .background? = prepared.head.pushType, prepared.head.priority == 10 {
      note(.backgroundAtPriority10, app)
    }
    if let expiration = prepared.head.expiration, 1...DiligenceLimits().longestDuration ~= expiration {
      note(.expirationAsDuration, app)
    }
    if outcome.reason == nil, contradiction(in: prepared) != nil { note(.contradictingPushType, app) }
    if authorization.isTimeText { note(.textTokenTime, app) }
    if authorization.isSignatureDER { note(.derTokenSignature, app) }
    if authorization.isOtherForm { note(.undocumentedTokenForm, app) }
    if outcome.reason == nil, !prepared.head.pushTypeText.isPresent { note(.missingPushType, app) }
  }

  private func contradiction(in prepared: PreparedRequest) -> PushContradiction? {
    PushContradiction(prepared.head, prepared.submission.pointee.verdict.facts) {
      prepared.submission.pointee.payload(in: prepared.bytes)
    }
  }

  private mutating func note(_ kind: AdviceKind, _ app: UInt16) {
    apps[app].diligence.requested(kind, at: now)
  }
}
