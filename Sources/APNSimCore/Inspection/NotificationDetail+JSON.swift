package import APNSimWire

extension NotificationDetail {
  /// Writes the members that lists do not have, in an object that the caller has begun.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.key("presentation")
    writer.beginObject()
    writePresentation(to: &writer)
    writer.endObject()
    writer.list("fields", fields) { field, writer in
      writer.member("name", field.name)
      writer.member("from", field.range.lowerBound)
      writer.member("to", field.range.upperBound)
      writer.member("text", field.text)
      if let error = field.error { writer.member("error", error) }
    }
    if let request = view.request { write(request, to: &writer) }
    if let answer {
      writer.key("answer")
      writer.beginObject()
      writer.member("after", answer.after.milliseconds)
      if let bytes = answer.bytes { writer.member("bytes", hex: bytes) }
      if answer.isLost { writer.member("lost", true) }
      writer.endObject()
    }
    if let cause {
      writer.key("cause")
      writer.beginObject()
      cause.writeMembers(to: &writer)
      writer.endObject()
    }
  }

  /// The presentation, and where no screen shows anything the reason.
  private func writePresentation(to writer: inout JSONWriter) {
    guard let presentation else {
      return writer.member(
        "reason",
        view.payload.isEmpty ? "No payload of it was read." : "The device cannot read this payload."
      )
    }
    presentation.writeMembers(to: &writer)
    let root = (try? JSONValue.parse(view.payload)) ?? .null
    let isOfItself = [nil, "alert", "background", "mdm"].contains(view.request?.pushType)
    if isOfItself, let reason = presentation.reasonForNoAlert(root) { writer.member("reason", reason) }
  }

  private func write(_ request: RequestView, to writer: inout JSONWriter) {
    writer.key("request")
    writer.beginObject()
    writer.list("headers", request.headers) { header, writer in
      writer.member("name", header.name)
      writer.member("value", header.value)
    }
    if let body {
      if let text = String(validating: body, as: UTF8.self) {
        writer.member("body", text)
      } else {
        writer.member("bodyHex", hex: body)
      }
    }
    writer.endObject()
    guard !request.authorization.hasCertificate, let token = request.authorization.token else { return }
    writer.key("providerToken")
    writer.beginObject()
    writer.member("verdict", verdict(on: token, request))
    if token.verdict != .malformed {
      writer.member("keyID", token.keyID)
      writer.member("teamID", token.teamID)
      writer.member("issuedAt", Timestamp(seconds: token.issuedAt).description)
      writer.member("age", view.time.seconds.subtractingReportingOverflow(token.issuedAt).partialValue)
      writer.member("signature", token.isSignatureDER ? "DER" : "r and s")
      if token.isTimeText { writer.member("issuedAtIsText", true) }
    }
    writer.endObject()
  }

  /// The reason for which it was refused, where it was the token's doing, or what is true of its bytes.
  private func verdict(on token: ProviderTokenFacts, _ request: RequestView) -> String {
    guard cause == nil, request.status == 403 || request.reason == "TooManyProviderTokenUpdates",
      let reason = request.reason
    else { return token.verdict.rawValue }
    return reason
  }
}

extension NotificationDetail.Cause {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .rule(let id, let name, let text):
      writer.member("rule", id)
      if !name.isEmpty { writer.member("name", name) }
      writer.member("text", text)
    case .magicToken(let magic):
      writer.member("magic", magic.digits)
      writer.member("text", magic.meaning)
    }
  }
}
