import APNSimCore
import APNSimProvider
import APNSimWire

/// The pushes of `send --demo --api http2`: good ones, and one of each mistake that a newcomer makes.
struct RequestDemo: Sendable {
  struct Step: Sendable {
    let request: PushRequest
    /// Its purpose, for people.
    let meaning: String
    let status: Int
    var reason: Reason?
  }

  let steps: [Step]

  /// - Parameters:
  ///   - token: the provider token; nil with a certificate.
  ///   - stale: one that is too old.
  init(options: RequestOptions, token: String?, stale: String?) {
    let devices = (0..<2).map { Hex.encode([0xA0 + UInt8($0)] + [UInt8](repeating: 0xDE, count: 31)) }
    func push(
      _ device: String,
      _ payload: String,
      token: String? = token,
      without left: String? = nil
    ) -> PushRequest {
      let body = Array(payload.utf8)
      let fields = options.fields(payload: body, bundle: nil, token: token, priority: nil)
      return PushRequest(token: device, fields: fields.filter { $0.name != left }, body: body)
    }
    let alert = #"{"aps":{"alert":"Hello","badge":1}}"#
    var steps = [
      Step(request: push(devices[0], alert), meaning: "good: an alert", status: 200),
      Step(
        request: push(devices[1], #"{"aps":{"content-available":1}}"#),
        meaning: "good: a background push, of priority 5",
        status: 200
      ),
    ]
    if token != nil {
      let request = push(devices[0], alert, without: "apns-topic")
      steps.append(
        Step(request: request, meaning: "bad: without apns-topic", status: 400, reason: .missingTopic)
      )
    }
    steps += [
      Step(
        request: push(String(devices[0].dropLast()), alert),
        meaning: "bad: its device token is a digit short",
        status: 400,
        reason: .badDeviceToken
      ),
      Step(
        request: push(Hex.encode(MagicToken(kind: .uninstalled, code: 0).token()), alert),
        meaning: "good, but its device lost the app",
        status: 410,
        reason: .unregistered
      ),
      Step(
        request: push(devices[0], #"{"aps":{"alert":"\#(String(repeating: "x", count: 4096))"}}"#),
        meaning: "bad: its payload has more than 4,096 bytes",
        status: 413,
        reason: .payloadTooLarge
      ),
    ]
    if let stale {
      let request = push(devices[0], alert, token: stale)
      steps.append(
        Step(
          request: request,
          meaning: "bad: its provider token is two hours old",
          status: 403,
          reason: .expiredProviderToken
        )
      )
    }
    self.steps = steps
  }

  var plan: RequestPlan {
    let requests = steps.map(\.request)
    return RequestPlan(count: requests.count) { requests[$0] }
  }

  /// True if every push got the answer that the default settings give.
  func isAsExpected(_ report: RequestReport) -> Bool {
    zip(steps, report.results).allSatisfy { step, outcome in
      guard case .answered(let answer)? = outcome else { return false }
      return answer.status == step.status && answer.reason.flatMap { Reason(name: $0) } == step.reason
    }
  }

  func lines(_ report: RequestReport, _ style: Style) -> [String] {
    var lines: [String] = []
    for (index, (step, outcome)) in zip(steps, report.results).enumerated() {
      let words = RequestWords(outcome ?? .unanswered)
      lines.append("\(index + 1)  \(step.meaning)")
      lines.append("   \(words.painted(style))" + (words.id.map { "  apns-id \($0)" } ?? ""))
      if let meaning = words.meaning { lines.append("   \(meaning)") }
    }
    return lines
  }
}
