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
}

extension NotificationView: JSONObject {
  package static let shape = JSONShape<Self>("Notification") {
    $0.member("seq", "Its place in the total order.") { $0.seq }
    $0.member("time") { $0.time }
    $0.members(of: content)
  }

  /// Without its place in the journal, which only one of a simulator has.
  package static let content = JSONShape<Self> {
    $0.member("id", "The notification's number.") { NotificationNumber($0.number) }
    $0.member("connection") { $0.connection }
    $0.member("environment", "The environment.") { $0.app.environment }
    $0.member("topic", "The topic of its provider's certificate.") { $0.app.topic }
    $0.member(
      "token",
      "The token as sent, in hex digits; over HTTP/2 the path's own text where that is no hex."
    ) { $0.tokenText }
    $0.member("device", "The device's name, or its token if it has none.") { $0.device }
    $0.members(of: request)
    $0.member("command", "0, 1 or 2; null over HTTP/2.", .most(255)) { $0.interface.command }
    $0.member("identifier", "The four bytes as sent; null for command 0.") { $0.identifier }
    $0.member("expiry", "Seconds since 1970, as sent.") { $0.expiry }
    $0.member("priority") { $0.priority }
    $0.member("payload", "The payload as JSON; null if it is not JSON.") { try? JSONValue.parse($0.payload) }
    $0.member("payloadBase64", "The payload's bytes as sent.") { Base64Text($0.payload) }
    $0.member("payloadSize", "The declared size, which may be more than arrived.", .least(0)) {
      $0.payloadSize
    }
    $0.member(
      "outcome",
      """
      What has become of it so far. `stored`: waiting for its device, or on its way to one whose token (`1a`) delays it.
      """
    ) { $0.outcome }
    $0.member(
      "status",
      """
      The status it was refused with, whether or not that was sent; 0 if it was not refused, or if a script ended its \
      connection. Over HTTP/2 that of the answer, null as long as nothing was answered.
      """,
      .most(599)
    ) { $0.answeredStatus }
    $0.optional("reason", "Over HTTP/2: the reason of an error.") { $0.request?.reason }
    $0.list("explain") { $0.explanations }
    $0.member("raw", "The frame as sent, in Base64.") { Base64Text($0.evidence) }
    $0.optional(
      "read",
      "The number of the read on its connection that brought it; absent under a virtual clock."
    ) { $0.read > 0 ? $0.read : nil }
  }

  private static let request = JSONShape<Self> {
    $0.member("interface", "The interface it came in by.", .words(["binary", "http2"])) { $0.interface.name }
    $0.optional("stream", "Over HTTP/2: the stream's number.") { $0.request?.stream }
    $0.optional("apnsId", "Over HTTP/2: the identifier of the answer.") { $0.request.map(\.apnsId) }
    $0.optional("collapseId", "Over HTTP/2, as sent.") { $0.request?.collapseId }
    $0.optional("pushType", "Over HTTP/2, as sent.") { $0.request?.pushType }
    $0.optional("auth", "Over HTTP/2: what proved the right to push; never a token itself.") {
      $0.request.map(\.authorization.proof)
    }
  }

  /// The status of the error response, or of the answer: nil as long as nothing was answered.
  package var answeredStatus: UInt16? { request.map(\.status) ?? UInt16(status.rawValue) }
}
