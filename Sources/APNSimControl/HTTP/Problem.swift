internal import APNSimWire
package import HTTPTypes
package import Hummingbird
internal import NIOCore

/// What a request could not be given, for programs and for people: RFC 9457, `application/problem+json`.
package struct Problem: HTTPResponseError, Hashable, Sendable {
  package var status: HTTPResponse.Status
  /// What kind of problem it is, the same words each time.
  package var title: String
  /// What was expected and what was found.
  package var detail: String
  /// Where in the body, as a JSON pointer (RFC 6901), or the name of a query parameter.
  package var pointer: String?
  /// What people commonly get wrong here, and what to do.
  package var hint: String?
  /// The place in a text, from 1.
  package var line: Int?
  package var column: Int?
  /// What else is wrong.
  package var others: [Detail] = []

  /// One more thing that is wrong.
  package struct Detail: Hashable, Sendable {
    package var detail: String
    package var pointer: String?
    package var line: Int?
    package var column: Int?
  }

  /// Headers that belong to the status, such as `Allow`.
  package var headers: HTTPFields = [:]

  package init(
    _ status: HTTPResponse.Status,
    title: String,
    detail: String,
    pointer: String? = nil,
    hint: String? = nil
  ) {
    self.status = status
    self.title = title
    self.detail = detail
    self.pointer = pointer
    self.hint = hint
  }

  /// The problem as JSON.
  package var body: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("type", "about:blank")
    writer.member("title", title)
    writer.member("status", status.code)
    writer.member("detail", detail)
    Self.write(pointer, line, column, to: &writer)
    if let hint {
      writer.member("hint", hint)
    }
    if !others.isEmpty {
      writer.list("others", others) { other, writer in
        writer.member("detail", other.detail)
        Self.write(other.pointer, other.line, other.column, to: &writer)
      }
    }
    writer.endObject()
    return writer.bytes
  }

  private static func write(
    _ pointer: String?,
    _ line: Int?,
    _ column: Int?,
    to writer: inout JSONWriter
  ) {
    if let pointer {
      writer.member("pointer", pointer)
    }
    if let line {
      writer.member("line", line)
    }
    if let column {
      writer.member("column", column)
    }
  }

  package func response(from request: Request, context: some RequestContext) throws -> Response {
    response
  }

  /// The answer that says so.
  package var response: Response {
    var headers = headers
    headers[.contentType] = "application/problem+json"
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}
