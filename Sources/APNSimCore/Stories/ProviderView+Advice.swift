import APNSimWire

/// The advice to a provider on a rule's action.
extension ProviderView {
  static func advice(on action: Rule.Action) -> String {
    switch action {
    case .reply(let reply): advice(on: reply)
    case .answer(let answer): advice(on: answer)
    case .fault(let fault): fault.kind.advice
    case .proceed: ""
    }
  }

  private static func advice(on reply: Reply) -> String {
    if reply.isLost {
      return "It should notice the reset, connect again, and send again what it cannot be sure of."
    }
    let rest = "connect again, and send everything after the identifier again, in order"
    switch reply.status {
    case .shutdown: return "It should \(rest): the named one and those before it were sent."
    case .invalidToken, .invalidTokenSize:
      return "It should stop sending to this token, \(rest)."
    case .processingError, .unknown: return "It should \(rest); the named one may be sent again later."
    default: return "It should mend the named notification or leave it out, \(rest)."
    }
  }

  private static func advice(on answer: ScriptedAnswer) -> String {
    guard let reason = answer.reason else {
      switch answer.status {
      case ..<300: return "It should do nothing: the answer says that all is well."
      case 429: return "It should wait before it sends to this token again."
      case 500...: return "It should send again later, each time after a longer pause. The token is good."
      case 410: return advice(on: ScriptedAnswer(reason: .unregistered))
      default: return "It should mend the request: sent again as it is, it fails again."
      }
    }
    switch reason {
    case .unregistered, .expiredToken:
      return
        "It should stop sending to this token, unless the app registered again after the timestamp. On the binary "
        + "interface: accepted, then listed by feedback."
    case .badDeviceToken, .deviceTokenNotForTopic:
      return
        "It should look whether the token is the other environment's or another app's, and stop sending to it."
    case .tooManyRequests: return "It should wait before it sends to this token again."
    case .internalServerError, .serviceUnavailable, .shutdown:
      return "It should send again later, each time after a longer pause. The token is good."
    case .expiredProviderToken: return "It should make a new provider token, and send again."
    case .tooManyProviderTokenUpdates:
      return "It should use one provider token for 20 to 60 minutes, on all connections."
    case .invalidProviderToken, .missingProviderToken, .unrelatedKeyIdInToken, .badEnvironmentKeyIdInToken,
      .badCertificate, .badCertificateEnvironment, .forbidden, .topicDisallowed:
      return "It should stop and tell its owner: every request fails until its key or certificate is right."
    case .payloadTooLarge: return "It should shorten the payload: sent again as it is, it fails again."
    case .idleTimeout: return "It should connect again, and send again."
    default: return "It should mend the request: sent again as it is, it fails again."
    }
  }
}
