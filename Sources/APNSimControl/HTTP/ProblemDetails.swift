import APNSimWire
import NIOCore
package import NIOHTTP1

/// The details of a problem with a request, for programs and for people (RFC 9457, `application/problem+json`).
package struct ProblemDetails: Error, Equatable {
  package var status: HTTPResponseStatus
  /// The kind of problem, in fixed words.
  package var title: String
  /// The explanation: what was expected and what was found.
  package var detail: String
  /// The place in the body as a JSON pointer (RFC 6901), or the name of a query parameter.
  package var pointer: String?
  /// The advice: a common mistake, and what to do.
  package var hint: String?
  /// The place in a text, from 1.
  package var line: Int?
  package var column: Int?
  /// Further problems.
  package var others: [Detail] = []

  /// A further problem.
  package struct Detail: Hashable, Sendable {
    package var detail: String
    package var pointer: String?
    package var line: Int?
    package var column: Int?
  }

  /// The headers that belong to the status, such as `Allow`.
  package var headers: HTTPHeaders = [:]

  package init(
    _ status: HTTPResponseStatus,
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

  /// The body of the response, as JSON.
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

  /// The response with the problem.
  var response: Response {
    var headers = headers
    headers.add(name: "Content-Type", value: "application/problem+json")
    return Response(status: status, headers: headers, body: .bytes(ByteBuffer(bytes: body)))
  }
}
