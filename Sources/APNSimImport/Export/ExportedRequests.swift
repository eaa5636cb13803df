import APNSimCapture
import APNSimHTTP2
import APNSimWire

/// Requests and answers of a captured connection as the HTTP/2 bytes that could have carried them.
///
/// Header lists are written in full, without the table of header compression; SETTINGS are the protocol's defaults. A
/// provider token is nowhere in a capture: its place has words that say so.
enum ExportedRequests {
  private static let authorization = "bearer \(TokenReading.placeholder)"

  /// The frames that each side begins with, and acknowledges.
  static var opening: [(side: StreamEvent.Side, bytes: [UInt8])] {
    var settings = GrowingBytes()
    settings.appendSettings([])
    var acknowledgement = GrowingBytes()
    acknowledgement.appendSettingsAcknowledgement()
    let (begin, end) = (Array(settings.bytes), Array(acknowledgement.bytes))
    return [(.provider, FrameReading.preface + begin), (.service, begin + end), (.provider, end)]
  }

  static func request(_ request: CapturedRequest) -> [UInt8] {
    let fields = request.fields.map { field in
      field.name == "authorization" ? (name: field.name, value: authorization) : field
    }
    return message(fields, request.body, stream: request.stream)
  }

  static func answer(_ answer: CapturedAnswer) -> [UInt8]? {
    guard let status = answer.status else { return nil }
    var fields = [(name: ":status", value: "\(status)")]
    if let id = answer.id { fields.append((name: "apns-id", value: id)) }
    return message(fields, body(of: answer), stream: answer.stream)
  }

  static func reset(_ stream: UInt32, code: String) -> [UInt8] {
    var bytes = GrowingBytes()
    bytes.appendReset(stream: stream, errorCode(code))
    return Array(bytes.bytes)
  }

  static func goAway(_ notice: CapturedGoAway) -> [UInt8] {
    var bytes = GrowingBytes()
    let (code, debug) = (errorCode(notice.code), Array(notice.debug.utf8))
    bytes.appendGoAway(lastStream: notice.lastStream, code, debug: debug)
    return Array(bytes.bytes)
  }

  /// The code of a name; NO_ERROR where it is none.
  private static func errorCode(_ name: String) -> ErrorCode {
    ErrorCode(rawValue: (HTTP2Code(spelled: name) ?? .noError).rawValue)
  }

  /// `{"reason":"Unregistered","timestamp":…}`; nothing for a success.
  private static func body(of answer: CapturedAnswer) -> [UInt8] {
    guard let reason = answer.reason else { return [] }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("reason", reason)
    if let timestamp = answer.timestamp { writer.member("timestamp", timestamp) }
    writer.endObject()
    return writer.bytes
  }

  private static func message(
    _ fields: [(name: String, value: String)],
    _ body: [UInt8],
    stream: UInt32
  ) -> [UInt8] {
    var block = GrowingBytes()
    for field in fields {
      HPACKEncoder.append(name: Array(field.name.utf8), value: Array(field.value.utf8), to: &block)
    }
    var bytes = GrowingBytes()
    let pieces = pieces(of: Array(block.bytes))
    for (place, piece) in pieces.enumerated() {
      var flags: FrameFlags = place == pieces.count - 1 ? .endHeaders : []
      if place == 0, body.isEmpty { flags.insert(.endStream) }
      bytes.appendFrame(place == 0 ? .headers : .continuation, flags: flags, stream: stream, payload: piece)
    }
    let parts = body.isEmpty ? [] : self.pieces(of: body)
    for (place, part) in parts.enumerated() {
      bytes.appendFrame(
        .data,
        flags: place == parts.count - 1 ? .endStream : [],
        stream: stream,
        payload: part
      )
    }
    return Array(bytes.bytes)
  }

  /// Pieces of the size of a frame's payload, which is 16,384 bytes at first (RFC 9113, section 6.5.2).
  private static func pieces(of bytes: [UInt8]) -> [[UInt8]] {
    stride(from: 0, to: max(1, bytes.count), by: 16_384).map {
      Array(bytes[$0..<min($0 + 16_384, bytes.count)])
    }
  }
}
