/// A push over HTTP/2, as it is written.
package struct PushRequest: Sendable, Equatable {
  /// The device token in the path, as given.
  package var token: String
  /// The fields after the pseudo-headers, in this order; names in lower case.
  package var fields: [(name: String, value: String)]
  package var body: [UInt8]

  package init(token: String, fields: [(name: String, value: String)], body: [UInt8]) {
    (self.token, self.fields, self.body) = (token, fields, body)
  }

  package static func == (one: PushRequest, other: PushRequest) -> Bool {
    one.token == other.token && one.body == other.body
      && one.fields.elementsEqual(other.fields) { $0 == $1 }
  }
}

/// The pushes that `send` writes, by number; made one by one, so that a million need no memory.
package struct RequestPlan: Sendable {
  package let count: Int
  private let make: @Sendable (Int) -> PushRequest

  package init(count: Int, make: @escaping @Sendable (Int) -> PushRequest) {
    (self.count, self.make) = (count, make)
  }

  /// The push of that number, from 0.
  package func request(at index: Int) -> PushRequest { make(index) }
}
