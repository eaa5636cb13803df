/// One line of a request's explain list: what a check expected, what it found, and what the rule rests on.
package struct RequestExplanation: Hashable, Sendable {
  package var check: RequestCheck
  package var isPassed: Bool
  package var expected: String
  package var found: String
  package var evidence: Evidence
}

/// Writes the explain list of a request, when somebody looks.
package struct RequestExplainer {
  let request: Request
  let verdict: RequestVerdict
  let rules: RequestRules
  let buffer: UnsafeRawBufferPointer
  let bodyCount: Int

  package init(
    _ request: Request,
    _ verdict: RequestVerdict,
    rules: RequestRules,
    in buffer: UnsafeRawBufferPointer
  ) {
    self.request = request
    self.verdict = verdict
    self.rules = rules
    self.buffer = buffer
    bodyCount = request.bodyCount
  }

  /// The checks that were made, the failed one last.
  package var explanations: [RequestExplanation] {
    var lines: [RequestExplanation] = []
    for check in rules.order.checks(of: request) {
      let isFailed = check == verdict.failed
      let (expected, found) = words(of: check)
      let reason = isFailed ? verdict.reason.map { ": \(rules.name(of: $0))" } ?? "" : ""
      lines.append(
        RequestExplanation(
          check: check,
          isPassed: !isFailed,
          expected: expected,
          found: found + reason,
          evidence: check.evidence
        )
      )
      if isFailed { break }
    }
    return lines
  }

  private func text(_ range: ByteRange) -> String {
    guard range.isPresent else { return "none" }
    let text = range.bytes(in: buffer)
    let excerpt = String(decoding: text.prefix(100), as: UTF8.self)
    return "'\(excerpt)\(text.count > 100 ? "…" : "")'"
  }

  private func words(of check: RequestCheck) -> (expected: String, found: String) {
    switch check {
    case .method: (methods, text(request.methodText))
    case .path: ("/3/device/<token> or a path of channels", text(request.path))
    case .authorization:
      ("a provider token (authorization: bearer …) or a certificate", "scheme \(request.scheme)")
    case .deviceTokenPresence: ("a token after /3/device/", "\(request.deviceToken.count) digits")
    case .repeats: ("each header once", request.repeated.map { "\($0.name) repeated" } ?? "no repeats")
    case .messageId: ("a canonical UUID, or no apns-id", text(request.messageId))
    case .requestId: ("a canonical UUID, or no apns-request-id", text(request.requestId))
    case .topicPresence: ("apns-topic, unless a certificate names one topic", text(request.topic))
    case .topic:
      ("a topic of the provider", text(request.isBroadcast ? request.bundleId : request.topic))
    case .pushType: (types, "\(text(request.pushTypeText)), topic \(text(request.topic))")
    case .priority: (priorities, text(request.priorityText))
    case .expiration:
      ("seconds since 1970\(request.isBroadcast ? "" : ", or none")", text(request.expirationText))
    case .collapseId: ("up to \(RequestJudge.collapseIdLimit) bytes", "\(request.collapseId.count) bytes")
    case .payloadPresence: ("a body", "\(bodyCount) bytes")
    case .payloadSize: ("up to \(request.payloadLimit) bytes", "\(bodyCount) bytes")
    case .deviceToken: ("a device token of this environment, in hexadecimal", text(request.deviceToken))
    case .registration: ("an app that is installed, and a token in force", text(request.deviceToken))
    case .tokenTopic: ("a token of the topic, whose suffix is the push type's", text(request.topic))
    case .feature: ("an App ID with the broadcast capability", text(request.bundleId))
    case .channelPresence: ("apns-channel-id", text(request.channelId))
    case .channelId: ("Base64 of up to \(RequestJudge.channelIdLimit) characters", text(request.channelId))
    case .channel: ("a channel of the application", text(request.channelId))
    case .storageExpiration: ("0 on a channel that stores nothing", text(request.expirationText))
    case .description: ("a JSON object", "\(bodyCount) bytes")
    case .attributes: ("message-storage-policy and push-type alone", "\(bodyCount) bytes")
    case .storagePolicy: ("message-storage-policy 0 or 1", "\(bodyCount) bytes")
    case .channelPushType: ("push-type LiveActivity", "\(bodyCount) bytes")
    case .channelRoom: ("fewer channels than the limit", text(request.bundleId))
    case .none: ("", "")
    }
  }

  private var methods: String {
    switch request.target {
    case .device, .broadcast, .unknown: "POST"
    case .channels: "POST, GET or DELETE"
    case .allChannels: "GET"
    }
  }

  private var types: String {
    request.isBroadcast
      ? PushType.liveactivity.name
      : "one of \(PushType.allCases.map(\.name).joined(separator: ", ")) with its suffix in the topic, or none"
  }

  private var priorities: String {
    let name = request.isBroadcast ? "broadcasts" : request.effectivePushType.name
    let allowed = [10, 5, 1].filter { rules.priorities(of: request) & 1 << UInt16($0) != 0 }
    return "\(allowed.map { String($0) }.joined(separator: ", ")) for \(name)"
  }
}

extension RequestRules {
  /// The word for a reason as these settings have it.
  package func name(of reason: Reason) -> String {
    reason.name(documented: quirks.contains(.documentedReasons))
  }
}
