import APNSimWire

/// The explain list of a request.
extension Explainer {
  /// What a script answered, as the interface has it.
  var answerName: String {
    guard case .http2 = record.interface else { return "status \(record.status)" }
    let status = RequestStatus(record)
    guard let number = status.number else { return "nothing" }
    return status.reason.map { "\(number) \($0.name())" } ?? "status \(number)"
  }

  /// The checks of a request in their order, the failed one last, and what was done.
  var requestLines: [Explanation] {
    guard let evidence = RequestEvidence(evidence) else { return [] }
    let request = evidence.request
    let rules = RequestRules(configuration.quirks)
    let reason = RequestStatus(record).reason
    var verdict = RequestVerdict()
    verdict.reason = reason
    verdict.failed = failedCheck(request, reason, rules, evidence)
    var lines = RequestExplainer(request, verdict, rules: rules, in: evidence.bytes).explanations.map {
      line in
      var detail = line.isPassed ? line.found : "expected \(line.expected); found \(line.found)"
      detail += " (\(line.evidence.rawValue))"
      var hint: String?
      if !line.isPassed, record.tokenFault != .none { hint = tokenFault.0 }
      return Explanation(check: line.check.name, isPassed: line.isPassed, detail: detail, hint: hint)
    }
    if reason == nil {
      lines.append(settlement)
      if let later { lines.append(later) }
      lines[lines.count - 1].detail = [lines.last?.detail, deliveryLog].compactMap { $0 }.joined(
        separator: "; "
      )
    }
    return lines
  }

  /// What the notification is in Apple's delivery log, as the Push Notification Console shows it.
  private var deliveryLog: String {
    let word =
      switch record.outcome {
      case .delivered: "delivered"
      case .stored: "stored"
      case .replaced, .expired, .notStored, .refused, .dropped, .rejected, .discarded: "discarded"
      }
    return "in Apple's delivery log: \(word)"
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
    return ofItself.reason == reason ? ofItself.failed : Self.worldCheck(of: reason)
  }

  private static func worldCheck(of reason: Reason) -> RequestCheck {
    switch reason {
    case .badTopic, .topicDisallowed: .topic
    case .deviceTokenNotForTopic: .tokenTopic
    case .featureNotEnabled: .feature
    case .channelNotRegistered, .badChannelId: .channel
    case .badDeviceToken: .deviceToken
    case .unregistered, .expiredToken: .registration
    default: .authorization
    }
  }
}
