package import APNSimWire
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
    write(to: &writer)
    return writer.bytes
  }

  /// The response with the problem.
  var response: Response {
    var headers = headers
    headers.add(name: "Content-Type", value: "application/problem+json")
    return Response(status: status, headers: headers, body: .bytes(ByteBuffer(bytes: body)))
  }
}

extension ProblemDetails: JSONObject {
  package static let shape = JSONShape<Self>("Problem", "RFC 9457.") {
    $0.member("type") { _ in "about:blank" }
    $0.member("title", "The kind of problem, always in the same words.") { $0.title }
    $0.member("status", "Of HTTP.") { Int($0.status.code) }
    $0.members { problem in
      Detail(detail: problem.detail, pointer: problem.pointer, line: problem.line, column: problem.column)
    }
    $0.optional("hint", "What to do.") { $0.hint }
    $0.optional("others", "Further problems.") { $0.others.isEmpty ? nil : $0.others }
  }
}

extension ProblemDetails.Detail: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("detail", "What was expected and what was found.") { $0.detail }
    $0.optional("pointer", "Where in the body, as a JSON pointer, or the name of a query parameter.") {
      $0.pointer
    }
    $0.optional("line", "The line, in a body of several lines.") { $0.line }
    $0.optional("column", "The column in that line or in a query, from 1.") { $0.column }
  }
}
