package import APNSimWire

/// A notification as people and programs look at it: everything its record says, written out.
package struct NotificationView: Sendable {
  package var number: UInt64
  package var seq: UInt64
  package var time: Timestamp
  package var connection: ConnectionID
  package var read: UInt32
  package var app: AppKey
  package var device: String?
  package var outcome: Outcome
  package var status: StatusCode
  package var explanations: [Explanation]
  /// The bytes as sent; of a frame that was answered on a declared length, up to that length.
  package var evidence: [UInt8]
  package var interface: Interface
  package var identifier: NotificationIdentifier?
  /// Seconds since 1970, with the sign the edition gives it; nil when absent.
  package var expiry: Int64?
  /// 10 when absent, as the documents assume.
  package var priority: UInt8
  package var token: [UInt8]
  package var payload: [UInt8]
  /// The payload's length as declared, which may be more than arrived.
  package var payloadSize: Int
  /// The request's own part; nil for a frame.
  package var request: RequestView?

  /// The device token as people read it: in hex digits, or the text that a path has in place of one.
  package var tokenText: String { request?.textualToken ?? Hex.encode(token) }

  /// `n57`.
  package var id: String { "n\(number)" }

  /// The number of an id: `n57` is 57; nil for a text that is none, or is written otherwise.
  package static func number(of id: String) -> UInt64? {
    guard let number = UInt64(id.dropFirst()), id == "n\(number)" else { return nil }
    return number
  }

  /// Writes the members of the notification object, which the caller has begun.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("connection", connection.description)
    writer.member("environment", app.environment.rawValue)
    writer.member("topic", app.topic)
    writer.member("token", tokenText)
    writer.member("device", device)
    if let request { request.writeMembers(to: &writer) } else { writer.member("interface", interface.name) }
    writer.key("command")
    if let command = interface.command { writer.int(command) } else { writer.null() }
    writer.member("identifier", identifier?.hex)
    writer.key("expiry")
    if let expiry { writer.int(expiry) } else { writer.null() }
    writer.member("priority", priority)
    writer.key("payload")
    writePayload(to: &writer)
    writer.member("payloadBase64", base64: payload)
    writer.member("payloadSize", payloadSize)
    writer.member("outcome", outcome.description)
    if let request { request.writeAnswer(to: &writer) } else { writer.member("status", status.rawValue) }
    writer.key("explain")
    writer.beginArray()
    for explanation in explanations { explanation.write(to: &writer) }
    writer.endArray()
    writer.member("raw", base64: evidence)
    if read > 0 {
      writer.member("read", read)
    }
  }

  /// The payload as JSON where it is JSON, null where it is not.
  private func writePayload(to writer: inout JSONWriter) {
    guard let value = try? JSONValue.parse(payload) else { return writer.null() }
    writer.value(value)
  }
}
