import NIOHTTP1

/// A request to the control API, without its body.
struct HTTPRequest: Sendable {
  let method: HTTPMethod
  /// The path, percent-encoded.
  let path: String
  /// The query, without its question mark; nil where there is none.
  let query: String?
  private let headers: HTTPHeaders

  init(_ head: HTTPRequestHead) {
    method = head.method
    headers = head.headers
    (path, query) = Self.parts(of: head.uri)
  }

  /// The Host header; empty where there is none.
  var host: String { headers["Host"].first.map(Self.trimmed) ?? "" }

  /// The value of a header field; several of the same name are one with commas (RFC 9110, 5.3).
  subscript(header name: String) -> String? {
    let values = headers[name]
    return values.isEmpty ? nil : values.map(Self.trimmed).joined(separator: ", ")
  }

  /// A value without the white space around it, which the parser leaves at its end (RFC 9110, 5.5).
  private static func trimmed(_ value: String) -> String {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var rest = value.utf8.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return String(Substring(rest))
  }

  /// The path and the query of a target in origin form, or of an absolute URI, whose authority says nothing beside the Host
  /// header (RFC 9112, 3.2).
  private static func parts(of target: String) -> (path: String, query: String?) {
    var rest = target.utf8[...]
    if let scheme = target.firstRange(of: "://"), rest.first != UInt8(ascii: "/") {
      rest = target.utf8[scheme.upperBound...].drop { !"/?#".utf8.contains($0) }
      rest = rest.prefix { $0 != UInt8(ascii: "#") }
    }
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    let query = rest[path.endIndex...].dropFirst().prefix { $0 != UInt8(ascii: "#") }
    let hasQuery = path.endIndex < rest.endIndex
    return (path.isEmpty ? "/" : String(Substring(path)), hasQuery ? String(Substring(query)) : nil)
  }
}
