package import APNSimWire

/// A malformed request, which never became one: its stream was reset (RFC 9113 section 8.1.1).
package struct MalformedRequest: Hashable, Sendable {
  package var stream: UInt32
  /// The code of RST_STREAM.
  package var code: HTTP2Code
  /// The name of the header that it is for, as it was sent; empty where it is for none alone.
  package var header: String
  /// The rule of the RFC that it does not keep.
  package var reason: String

  package init(stream: UInt32, code: HTTP2Code, header: String, reason: String) {
    (self.stream, self.code, self.header, self.reason) = (stream, code, header, reason)
  }

  /// - Parameter header: a name as it was sent, of which the beginning is kept, and no provider token that stands in it.
  package init(stream: UInt32, code: HTTP2Code, header: [UInt8], reason: String) {
    var name = Array(header.prefix(Self.longestName))
    name.withUnsafeMutableBytes { ProviderToken.blot(in: $0) }
    self.init(stream: stream, code: code, header: String(decoding: name, as: UTF8.self), reason: reason)
  }

  private static let longestName = 200

  /// `transfer-encoding: headers of an HTTP/1.1 connection are forbidden (RFC 9113 section 8.2.2)`
  package var words: String { header.isEmpty ? reason : "\(header): \(reason)" }
}

extension MalformedRequest: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("stream") { $0.stream }
    $0.member("code", "The code of RST_STREAM, by its name.") { $0.code.name }
    $0.optional("header", "The header that it is for, as it was named; absent where it is for none alone.") {
      $0.header.isEmpty ? nil : $0.header
    }
    $0.member("reason", "The rule of RFC 9113 that was not kept.") { $0.reason }
  }
}

extension MalformedRequest: KeptByMembers {
  static let members = Members(Self.init, \.stream, \.code, \.header, \.reason)
}

/// The malformed requests of one connection: how many there were, and the latest of them.
package struct MalformedRequests: Hashable, Sendable {
  package private(set) var count: UInt64 = 0
  package private(set) var latest: [MalformedRequest] = []
  private static let most = 20

  mutating func add(_ request: MalformedRequest) {
    count += 1
    if latest.count == Self.most { latest.removeFirst() }
    latest.append(request)
  }

  package mutating func forgetAllButLast() { latest = latest.suffix(1) }
}

extension MalformedRequests: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("count") { $0.count }
    $0.list("latest", "The latest of them, \(most) at most; in a list of connections the last one.") {
      $0.latest
    }
  }
}

extension MalformedRequests: KeptByMembers {
  static let members = Members(Self.init, \.count, \.latest)

  func complete(_ state: StateReader) throws(StateError) {
    guard latest.count <= Self.most, latest.count <= count else {
      throw state.error(
        "the latest malformed requests of a connection were expected, and \(latest.count) found"
      )
    }
  }
}
