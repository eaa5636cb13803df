import APNSimWire
import NIOCore
import NIOHTTP1

/// An answer of the control API.
struct Response: Sendable {
  let status: HTTPResponseStatus
  var headers: HTTPHeaders
  let body: ResponseBody

  init(
    status: HTTPResponseStatus,
    headers: HTTPHeaders = [:],
    body: ResponseBody = .bytes(ByteBuffer())
  ) {
    (self.status, self.headers, self.body) = (status, headers, body)
    guard let length = body.length, !headers.contains(name: "Content-Length") else { return }
    self.headers.add(name: "Content-Length", value: "\(length)")
  }

  /// The answer to a HEAD request.
  var withoutBody: Response { Response(status: status, headers: headers) }

  static var noContent: Response { Response(status: .noContent) }

  /// A response of one JSON object.
  static func json(
    _ status: HTTPResponseStatus = .ok,
    headers: HTTPHeaders = [:],
    _ writeMembers: (inout JSONWriter) -> Void
  ) -> Response {
    var writer = JSONWriter()
    writer.beginObject()
    writeMembers(&writer)
    writer.endObject()
    writer.newline()
    return bytes(writer.bytes, type: "application/json", status, headers: headers)
  }

  static func json(_ object: some JSONObject) -> Response { json(.ok, object) }

  static func json(
    _ status: HTTPResponseStatus,
    headers: HTTPHeaders = [:],
    _ object: some JSONObject
  ) -> Response {
    json(status, headers: headers) { object.writeMembers(to: &$0) }
  }

  static func bytes(
    _ bytes: [UInt8],
    type: String,
    _ status: HTTPResponseStatus = .ok,
    headers: HTTPHeaders = [:]
  ) -> Response {
    var headers = headers
    headers.add(name: "Content-Type", value: type)
    guard let body = AnswerRoom.shared.body(bytes) else { return ProblemDetails.unreadAnswers.response }
    return Response(status: status, headers: headers, body: body)
  }
}

/// The body of an answer.
enum ResponseBody: Sendable {
  case bytes(ByteBuffer)
  /// Pieces, of so many bytes together; nil where only the end shows how many there were.
  case pieces(length: Int?, write: @Sendable (Send) async throws -> Void)

  /// Sends a piece and returns when it has been accepted.
  typealias Send = (ByteBuffer) async throws -> Void

  /// The number of bytes, where it is known before the end.
  var length: Int? {
    switch self {
    case .bytes(let bytes): bytes.readableBytes
    case .pieces(let length, _): length
    }
  }

  /// Sends all of it. Each piece waits until the event loop has written the one before it: only then it is known whether the
  /// client goes on reading. Otherwise a busy loop has all of the pieces handed to it at once.
  func send(on loop: any EventLoop, _ send: Send) async throws {
    switch self {
    case .bytes(let bytes): try await send(bytes)
    case .pieces(_, let write):
      try await write { piece in
        try await loop.submit {}.get()
        try await send(piece)
      }
    }
  }
}
