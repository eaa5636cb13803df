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
    return Response(
      status: status,
      headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
    )
  }

  static var noContent: Response { Response(status: .noContent) }
}
