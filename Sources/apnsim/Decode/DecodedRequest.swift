import APNSimCapture
import APNSimWire

/// A request over HTTP/2 as the history has it, `GET /api/v1/notifications/{id}/raw`: it has no bytes of its own on the network,
/// where headers are compressed and connections shared.
struct DecodedRequest {
  private let request: CapturedRequest

  /// Nil for bytes that are none.
  init?(_ bytes: [UInt8]) {
    guard let request = CapturedRequest(evidence: bytes) else { return nil }
    self.request = request
  }

  /// `POST /3/device/… on stream 1`, the headers and the body.
  func lines(_ style: Style) -> [String] {
    let head = "\(request.value(":method") ?? "") \(request.value(":path") ?? "") on stream \(request.stream)"
    let fields = request.fields.filter { !$0.name.hasPrefix(":") }.map { [$0.name, value(of: $0)] }
    let body = String(decoding: request.body, as: UTF8.self)
    return [style.paint(TerminalText.visible("a request of HTTP/2: \(head)"), .bold)]
      + Table.lines(fields.map { $0.map(TerminalText.visible) }, indent: "  ")
      + ["  \(Number.counted(request.body.count, "byte")) of body: \(TerminalText.visible(body))"]
  }

  private func value(of field: (name: String, value: String)) -> String {
    field.name == "authorization" ? "(provider tokens are not kept)" : field.value
  }

  /// `{"kind":"request","stream":1,"headers":[{"name":":method","value":"POST"}],"body":"{}"}`
  var json: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("kind", "request")
    writer.member("stream", Int(request.stream))
    writer.list("headers", request.fields) { field, writer in
      writer.member("name", field.name)
      writer.member("value", field.value)
    }
    writer.member("body", String(decoding: request.body, as: UTF8.self))
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
