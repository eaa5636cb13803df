import APNSimWire

/// The explain list of a request.
extension Explainer {
  /// The answer of a script, as the interface has it.
  var answerName: String {
    guard case .http2 = record.interface else { return "status \(record.status)" }
    let status = RequestStatus(record)
    guard let number = status.number else { return "nothing" }
    return status.reason.map { "\(number) \($0.name())" } ?? "status \(number)"
  }

  /// A request on a stream that is not answered any more.
  var goneAway: Explanation {
    Explanation(
      check: "discard",
      isPassed: false,
      detail:
        "above the last stream that is answered on this connection, by GOAWAY or by a fault; never looked at",
      hint: "it was not processed (RFC 9113 section 6.8): send it again over another connection"
    )
  }

  /// The checks of a request in their order, the failed one last, and what was done.
  var requestLines: [Explanation] {
    guard let evidence = RequestEvidence(evidence) else { return [] }
    let request = evidence.request
    let rules = RequestRules(configuration)
    let reason = RequestStatus(record).reason
    var verdict = RequestVerdict()
    verdict.reason = reason
    verdict.failed = failedCheck(request, reason, rules, evidence)
    let refused = authorizationCause(evidence, reason)
    let causes = RequestCauses(
      request: request,
      evidence: evidence,
      surroundings: surroundings,
      tokenFault: record.tokenFault == .none
        ? nil : [trust.0, trust.1].compactMap { $0 }.joined(separator: ": ")
    )
    var lines = RequestExplainer(request, verdict, rules: rules, in: evidence.bytes).explanations.map {
      line in
      var found = line.found
      var hint = line.isPassed ? causes.remark(on: line.check) : causes.hint(about: line.check)
      if !line.isPassed, line.check == .authorization, let refused {
        (found, hint) = ("\(refused.found): \(reason.map { rules.name(of: $0) } ?? "")", refused.hint)
      }
      var detail = line.isPassed ? found : "expected \(line.expected); found \(found)"
      detail += " (\(line.evidence.rawValue))"
      return Explanation(check: line.check.name, isPassed: line.isPassed, detail: detail, hint: hint)
    }
    if let whiteSpace = whiteSpace(evidence) { lines.insert(whiteSpace, at: 0) }
    if reason == nil {
      lines.append(request.isBroadcast ? channelSettlement(request) : settlement)
      if let later, !request.isBroadcast { lines.append(later) }
      guard record.entry != .performed else { return lines }
      lines[lines.count - 1].detail = [lines.last?.detail, deliveryLog].compactMap { $0 }.joined(
        separator: "; "
      )
    }
    return lines
  }

  /// The remark on values that count without the white space at their ends.
  private func whiteSpace(_ evidence: RequestEvidence) -> Explanation? {
    guard !evidence.whiteSpace.isEmpty else { return nil }
    let names = evidence.surroundedNames
    return Explanation(
      check: "whiteSpace",
      isPassed: true,
      detail: "white space at the ends of \(RequestCauses.list(names)) does not count",
      hint:
        "leave it out: by RFC 9113 section 8.2.1 it makes a request malformed. Is a variable empty, or a line end read with it?"
    )
  }

  /// The cause for which the authorization of a request was refused.
  private func authorizationCause(_ evidence: RequestEvidence, _ reason: Reason?) -> ProviderTokenCause? {
    let authorization = evidence.authorization
    var circumstances = ProviderTokenCause.Circumstances(environment: environment, time: record.time)
    circumstances.seenAge = authorization.token.flatMap { firstSights.age(of: $0.number, at: record.time) }
    return reason.flatMap { ProviderTokenCause(authorization, $0, circumstances) }
  }

  /// The notification's state in Apple's delivery log, as the Push Notification Console shows it.
  private var deliveryLog: String {
    let word =
      switch record.outcome {
      case .delivered: "delivered"
      case .stored: "stored"
      case .replaced, .expired, .notStored, .refused, .dropped, .rejected, .discarded, .performed: "discarded"
      }
    return "in Apple's delivery log: \(word)"
  }

  /// The action of a request about channels.
  private func channelSettlement(_ request: Request) -> Explanation {
    var hint: String?
    let detail: String
    switch record.entry {
    case .delivered: detail = "the subscribed devices that are online have it"
    case .stored, .replaced:
      detail = "no subscribed device is online; it waits on the channel as its most recent message"
    case .expired: detail = "no subscribed device is online, and the expiration has passed"
    case .dropped: detail = "no device can read the payload"
    case .performed:
      detail =
        switch (request.target, request.method) {
        case (.channels, .post): "the channel was created"
        case (.channels, .delete): "the channel was deleted"
        case (.channels, _): "the channel was read"
        default: "the channels were listed"
        }
    default:
      detail = "no subscribed device is online, and nothing is stored"
      hint = "devices subscribe by input-push-channel or in the app; GET /api/v1/channels lists them"
    }
    return Explanation(
      check: record.entry == .performed ? "channel" : "broadcast",
      isPassed: [.delivered, .stored, .replaced, .performed].contains(record.entry),
      detail: detail,
      hint: hint
    )
  }

  /// The check that a reason stands for: of those that the request fails by itself, or else the world's.
  private func failedCheck(
    _ request: Request,
    _ reason: Reason?,
    _ rules: RequestRules,
    _ evidence: RequestEvidence
  ) -> RequestCheck {
    guard let reason else { return .none }
    let hasCertificate = evidence.authorization.hasCertificate
    let world = StatedWorld(
      hasCertificate: hasCertificate,
      needsTopic: !hasCertificate || reason == .missingTopic
    )
    let ofItself = RequestJudge.judge(
      request,
      in: evidence.bytes,
      body: evidence.body,
      rules: rules,
      world: world
    )
    if ofItself.reason == reason { return ofItself.failed }
    // A PushKit token to the plain topic: the topic itself is the provider's.
    let isOfPushKit = reason == .topicDisallowed && surroundings.owners.contains { $0.bundleId != $0.topic }
    return isOfPushKit ? .tokenTopic : Self.worldCheck(of: reason)
  }

  private static func worldCheck(of reason: Reason) -> RequestCheck {
    switch reason {
    case .badTopic, .topicDisallowed, .topicMismatch: .topic
    case .deviceTokenNotForTopic: .tokenTopic
    case .featureNotEnabled: .feature
    case .channelNotRegistered, .badChannelId, .badPath: .channel
    case .cannotCreateChannelConfig: .channelRoom
    case .badExpirationDate: .storageExpiration
    case .badDeviceToken: .deviceToken
    case .unregistered, .expiredToken: .registration
    default: .authorization
    }
  }
}

extension Fault {
  /// The effect of a fault in place of an answer, after its rule's name.
  var inPlaceOfAnswer: String {
    ofAnswer.reset.map { "resets the stream with \($0.name)" } ?? "leaves it unanswered"
  }
}
