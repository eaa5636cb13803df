/// An error that ends a connection (RFC 9113 section 5.4.1): a code, and what was expected and found.
package struct ConnectionError: Error, Hashable, Sendable {
  package var code: ErrorCode
  package var reason: String

  package init(_ code: ErrorCode, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}

/// An error that ends a stream (RFC 9113 section 5.4.2): a code, and what was expected and found. It carries no values of the
/// peer's, so that making one allocates nothing.
package struct StreamError: Error, Sendable {
  package var code: ErrorCode
  package var reason: StaticString

  package init(_ code: ErrorCode, _ reason: StaticString) {
    self.code = code
    self.reason = reason
  }
}
