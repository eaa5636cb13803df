package import APNSimWire

/// The part of a notification that came as a request, which no frame has.
package struct RequestView: Hashable, Sendable {
  package var stream: UInt32
  /// The identifier of the answer.
  package var apnsId: String?
  package var collapseId: String?
  /// As sent.
  package var pushType: String?
  package var authorization: RequestAuthorization
  /// Nil as long as nothing was answered.
  package var status: UInt16?
  package var reason: String?
  /// The text in place of a device token, where it is none in hex digits.
  var textualToken: String?
  /// The headers as they came, without the value of `authorization`.
  package var headers: [Header]

  package struct Header: Hashable, Sendable {
    package var name: String
    package var value: String
  }

  init(_ evidence: RequestEvidence, status: RequestStatus?, _ rules: RequestRules) {
    self.init(evidence, evidence.authorization, status: status, rules)
    headers = evidence.fields.map { Header(name: $0.name, value: $0.value) }
    textualToken = evidence.textualToken
  }

  /// The view without the headers, which a line of the journal has among the bytes as sent.
  init(
    _ evidence: RequestEvidence,
    _ authorization: RequestAuthorization,
    status: RequestStatus?,
    _ rules: RequestRules
  ) {
    let request = evidence.request
    stream = evidence.stream
    apnsId = evidence.messageId(of: request)
    collapseId = evidence.text(of: request.collapseId)
    pushType = evidence.text(of: request.pushTypeText)
    self.authorization = authorization
    self.status = status?.number
    reason = status?.reason.map { rules.name(of: $0) }
    headers = []
  }

  /// The value at a path of the notification object that only requests have.
  package func value(at path: String) -> JSONValue? {
    switch path {
    case "stream": .number("\(stream)")
    case "apnsId": apnsId.map { .string($0) }
    case "collapseId": collapseId.map { .string($0) }
    case "pushType": pushType.map { .string($0) }
    case "status": status.map { .number("\($0)") }
    case "reason": reason.map { .string($0) }
    case "auth.kind": authorization.kind.map { .string($0) }
    case "auth.team": authorization.hasCertificate ? nil : authorization.token.map { .string($0.teamID) }
    case "auth.key": authorization.hasCertificate ? nil : authorization.token.map { .string($0.keyID) }
    default: nil
    }
  }

  /// Stream, identifiers, push type and authorization, as a line of the journal has them.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("interface", Interface.http2.name)
    writer.member("stream", stream)
    writer.member("apnsId", apnsId)
    if let collapseId { writer.member("collapseId", collapseId) }
    if let pushType { writer.member("pushType", pushType) }
    writer.key("auth")
    authorization.write(to: &writer)
  }
}

extension RequestAuthorization {
  /// `certificate`, `token`; nil where there was neither.
  package var kind: String? { hasCertificate ? "certificate" : token == nil ? nil : "token" }

  /// The proof of the right to push, without the token; nil where there was none.
  var proof: Proof? { kind == nil ? nil : Proof(authorization: self) }

  struct Proof: JSONObject {
    let authorization: RequestAuthorization

    private var token: ProviderTokenFacts? { authorization.hasCertificate ? nil : authorization.token }

    static let shape = JSONShape<Self> {
      $0.member("kind", "The kind of it.", .words(["token", "certificate"])) { $0.authorization.kind ?? "" }
      $0.optional("team") { $0.token?.teamID }
      $0.optional("key") { $0.token?.keyID }
    }
  }

  /// `{"kind":"token","team":"…","key":"…"}`, null where there was nothing.
  func write(to writer: inout JSONWriter) {
    guard let kind else { return writer.null() }
    writer.beginObject()
    writer.member("kind", kind)
    if !hasCertificate, let token {
      writer.member("team", token.teamID)
      writer.member("key", token.keyID)
    }
    writer.endObject()
  }
}
