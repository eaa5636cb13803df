/// A push over HTTP/2, as it is written.
package struct PushRequest: Sendable, Equatable {
  package var method = "POST"
  /// The device token in the path, as given.
  package var token: String
  /// In place of `/3/device/<token>`.
  package var otherPath: String?
  /// The fields after the pseudo-headers, in this order; names in lower case.
  package var fields: [(name: String, value: String)]
  package var body: [UInt8]

  package init(token: String, fields: [(name: String, value: String)], body: [UInt8]) {
    (self.token, self.fields, self.body) = (token, fields, body)
  }

  var path: String { otherPath ?? "/3/device/\(token)" }

  package static func == (one: PushRequest, other: PushRequest) -> Bool {
    one.method == other.method && one.path == other.path && one.body == other.body
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
