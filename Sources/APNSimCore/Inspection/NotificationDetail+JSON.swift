package import APNSimWire

extension NotificationDetail: JSONObject {
  package static let shape = JSONShape<Self>(
    "NotificationDetail",
    "A notification with what lists do not have of it."
  ) {
    $0.members { $0.view }
    $0.member("presentation", "What its user sees, or would have seen, as in an inbox.") { Shown(detail: $0) }
    $0.list("fields", "The fields of the frame, or for a request those of its payload.") { $0.fields }
    $0.optional("request", "Over HTTP/2: the request as sent, without the value of `authorization`.") {
      detail in
      detail.view.request.map { Request(headers: $0.headers, body: detail.body) }
    }
    $0.optional(
      "providerToken",
      "Over HTTP/2: what was found about the provider token; never the token itself."
    ) { $0.providerToken }
    $0.optional(
      "answer",
      "Of an answer that has an event of its own: an error response, or one that left later."
    ) { $0.answer }
    $0.optional("cause", "What staged its outcome, if something did: a rule, or its magic token.") {
      $0.cause
    }
  }

  private var providerToken: ProviderToken? {
    guard let request = view.request, !request.authorization.hasCertificate,
      let token = request.authorization.token
    else { return nil }
    let isRefusal = cause == nil && (request.status == 403 || request.reason == "TooManyProviderTokenUpdates")
    return ProviderToken(
      verdict: (isRefusal ? request.reason : nil) ?? token.verdict.name,
      facts: token.verdict == .malformed ? nil : token,
      time: view.time
    )
  }
}

/// The presentation, and where no screen shows anything the reason.
private struct Shown: JSONObject {
  let detail: NotificationDetail

  private var reason: String? {
    let view = detail.view
    guard let presentation = detail.presentation else {
      return view.payload.isEmpty ? "No payload of it was read." : "The device cannot read this payload."
    }
    guard [nil, "alert", "background", "mdm"].contains(view.request?.pushType) else { return nil }
    return presentation.reasonForNoAlert((try? JSONValue.parse(view.payload)) ?? .null)
  }

  static let shape = JSONShape<Self> {
    $0.optionalMembers { $0.detail.presentation }
    $0.optional(
      "reason",
      "A sentence on why no screen shows an alert; it is alone where a device cannot read the payload."
    ) { $0.reason }
  }
}

/// A request as it was sent.
private struct Request: JSONObject {
  let headers: [RequestView.Header]
  let body: [UInt8]?

  private var text: String? { body.flatMap { String(validating: $0, as: UTF8.self) } }

  static let shape = JSONShape<Self> {
    $0.list("headers", "In the order of sending, repeated ones as often as they came.") {
      $0.headers.map { JSONField($0.name, $0.value) }
    }
    $0.optional("body", "The body as far as it was kept.") { $0.text }
    $0.optional("bodyHex", "The same in hex digits, where it is not UTF-8.") { request in
      request.text == nil ? request.body.map { HexText($0) } : nil
    }
  }
}

/// The findings about a provider token.
private struct ProviderToken: JSONObject {
  /// The reason for which the request was refused, where it was the token's doing, or what is true of its bytes.
  let verdict: String
  /// Nil for a malformed one.
  let facts: ProviderTokenFacts?
  /// When the request came.
  let time: Timestamp

  static let shape = JSONShape<Self> {
    $0.member(
      "verdict",
      """
      good, malformed, unknownKey or badSignature; or the reason for which the request was refused, where it was the \
      token's doing.
      """
    ) { $0.verdict }
    $0.optional("keyID") { $0.facts?.keyID }
    $0.optional("teamID") { $0.facts?.teamID }
    $0.optional("issuedAt", "As the token says.") { $0.facts.map { Timestamp(seconds: $0.issuedAt) } }
    $0.optional("age", "Seconds, when the request came.") { token in
      token.facts.map { token.time.seconds.subtractingReportingOverflow($0.issuedAt).partialValue }
    }
    $0.optional("signature", "The form of its signature.", .words(["r and s", "DER"])) {
      $0.facts.map { $0.isSignatureDER ? "DER" : "r and s" }
    }
    $0.optional(
      "issuedAtIsText",
      "The claim `iat` is a text, which APNs takes and some other servers do not."
    ) { $0.facts?.isTimeText == true ? true : nil }
  }
}

extension NotificationDetail.Answer: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("after", "Milliseconds from the notification to the answer.") { $0.after.milliseconds }
    $0.optional("bytes", "The error response of the binary interface as it was sent, in hex digits.") {
      $0.bytes.map { HexText($0) }
    }
    $0.optional("lost", "A reset took it.") { $0.isLost ? true : nil }
  }
}

extension NotificationDetail.Cause: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.optional("rule", "The rule's id.") { $0.rule?.id }
    $0.optional("name", "The rule's name.") { $0.rule.flatMap { $0.name.isEmpty ? nil : $0.name } }
    $0.optional("magic", "The bytes of the token that script it, in hex digits.") { cause in
      if case .magicToken(let magic) = cause { magic.digits } else { nil }
    }
    $0.member("text", "The rule as rules are written, or what the token does.") { cause in
      switch cause {
      case .rule(_, _, let text): text
      case .magicToken(let magic): magic.meaning
      }
    }
  }

  private var rule: (id: String, name: String)? {
    if case .rule(let id, let name, _) = self { (id, name) } else { nil }
  }
}
