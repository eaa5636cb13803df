package import APNSimWire

/// A line of the device port.
package enum DeviceLine: Equatable {
  case tokens(device: String, [Token])
  /// A notification with its presentation.
  case notification(JSONValue)
  /// The simulator did not accept what the device said.
  case error(expected: String, found: String)
  /// The simulator ends the connection.
  case closed(reason: String, detail: String)
  /// A message of a later version.
  case other

  package struct Token: Equatable {
    package var topic: String
    package var environment: String
    package var token: String
  }

  package init(_ line: some Sequence<UInt8>) {
    guard let value = try? JSONValue.parse(line) else {
      self = .other
      return
    }
    if let tokens = value.member("tokens")?.arrayValue {
      self = .tokens(
        device: value.member("device")?.stringValue ?? "",
        tokens.map { token in
          Token(
            topic: token.member("topic")?.stringValue ?? "",
            environment: token.member("environment")?.stringValue ?? "",
            token: token.member("token")?.stringValue ?? ""
          )
        }
      )
    } else if let notification = value.member("notification") {
      self = .notification(notification)
    } else if let error = value.member("error") {
      self = .error(
        expected: error.member("expected")?.stringValue ?? "?",
        found: error.member("found")?.stringValue ?? "?"
      )
    } else if let closed = value.member("closed") {
      self = .closed(
        reason: closed.member("reason")?.stringValue ?? "",
        detail: closed.member("detail")?.stringValue ?? ""
      )
    } else {
      self = .other
    }
  }
}
