import APNSimWire
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  /// A response of one JSON object.
  static func json(
    _ status: HTTPResponse.Status = .ok,
    headers: HTTPFields = [:],
    _ writeMembers: (inout JSONWriter) -> Void
  ) -> Response {
    var writer = JSONWriter()
    writer.beginObject()
    writeMembers(&writer)
    writer.endObject()
    writer.newline()
    return bytes(writer.bytes, type: "application/json", status, headers: headers)
  }

  static func bytes(
    _ bytes: [UInt8],
    type: String,
    _ status: HTTPResponse.Status = .ok,
    headers: HTTPFields = [:]
  ) -> Response {
    var headers = headers
    headers[.contentType] = type
    guard let body = AnswerRoom.shared.body(bytes) else { return ProblemDetails.unreadAnswers.response }
    return Response(status: status, headers: headers, body: body)
  }

  static var noContent: Response { Response(status: .noContent) }
}
