import APNSimCore
import APNSimWire

/// The fate of a notification that was sent, or would be.
struct SentAnswer: JSONObject {
  let sent: Sender.Sent
  let payloadSize: Int
  let payloadLimit: Int
  let isPreview: Bool
  let shown: Presentation?

  static let shape = JSONShape<Self>("SentNotification") {
    $0.optional("id", "Not of a preview.") { $0.isPreview ? nil : NotificationNumber($0.sent.view.number) }
    $0.optional("connection", "Not of a preview.") { $0.isPreview ? nil : $0.sent.view.connection }
    $0.member("verdict", "For people.", .example("410 Unregistered")) { $0.verdict }
    $0.member("accepted") { $0.sent.view.outcome.isAccepted }
    $0.member("interface", "The interface it went in by.", .words(["binary", "http2"])) {
      $0.sent.view.interface.name
    }
    $0.members { $0.sent.view.app }
    $0.member("token", "In hex digits.") { $0.sent.view.tokenText }
    $0.member("device", "The device's name, or its token if it has none.") { $0.sent.view.device }
    $0.member("outcome", "As of a notification.") { $0.sent.view.outcome }
    $0.member("status", "As of a notification.", .most(599)) { $0.sent.view.answeredStatus }
    $0.optional("reason", "As of a notification.") { $0.sent.view.request?.reason }
    $0.member("answer", "What the provider got at once; null where it got nothing.") { $0.reply }
    $0.list("explain") { $0.sent.view.explanations }
    $0.list("remarks", "The hints among the checks.") { $0.sent.view.explanations.compactMap(\.hint) }
    $0.member("payloadSize", "In bytes.", .least(0)) { $0.payloadSize }
    $0.member("payloadLimit", "In bytes.", .least(0)) { $0.payloadLimit }
    $0.optional(
      "presentation",
      "Of a preview: what a person would see once the device is online; null where it shows nothing of it."
    ) { $0.isPreview ? .some($0.shown) : nil }
  }

  private var reply: Reply? {
    sent.answer != nil || !sent.response.isEmpty ? Reply(answer: sent.answer, response: sent.response) : nil
  }

  /// `200`, `410 Unregistered`, `accepted`, `8 Invalid token`, `no answer`.
  private var verdict: String {
    let view = sent.view
    if view.request != nil {
      guard let answer = sent.answer else { return "no answer" }
      return "\(answer.status)" + (answer.reason.map { " \($0.name())" } ?? "")
    }
    if view.outcome.isAccepted { return "accepted" }
    return view.status.rawValue == 0
      ? "closed, no error response" : "\(view.status.rawValue) \(view.status.name)"
  }
}

/// An answer to a request, or the bytes of an error response.
private struct Reply: JSONObject {
  let answer: RequestAnswer?
  let response: [UInt8]

  static let shape = JSONShape<Self> {
    $0.optional("status", "Of an answer.") { $0.answer?.status }
    $0.optional("headers", "Of an answer.") { $0.headers }
    $0.optional("body", "Of an answer.") { reply in
      reply.answer.map { String(decoding: $0.body, as: UTF8.self) }
    }
    $0.optional("hex", "The bytes of an error response.") { $0.answer == nil ? HexText($0.response) : nil }
  }

  private var headers: [JSONField]? {
    guard let answer else { return nil }
    var fields: [JSONField] = []
    answer.withHeaders { fields.append(JSONField("\($0)", String(decoding: $1, as: UTF8.self))) }
    return fields + answer.addedHeaders.map { JSONField($0.name, $0.value) }
  }
}
