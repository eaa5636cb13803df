package import APNSimWire

/// Conditions on notifications, all of which must hold. The same tree for expectations, waits and lists.
package struct Query: Hashable, Sendable {
  /// One path into the notification object, as every answer shows it, and what is wanted there.
  package struct Condition: Hashable, Sendable {
    package var path: String
    package var matcher: Matcher

    package init(path: String, matcher: Matcher) {
      self.path = path
      self.matcher = matcher
    }
  }

  package var conditions: [Condition]

  package init(_ conditions: [Condition] = []) { self.conditions = conditions }

  package func matches(_ notification: NotificationView) -> Bool {
    conditions.allSatisfy { $0.matcher.matches(notification.value(at: $0.path)) }
  }

  /// The differences of a notification from what is asked for; empty when it matches.
  package func differences(from notification: NotificationView) -> [Difference] {
    conditions.compactMap { condition in
      let value = notification.value(at: condition.path)
      guard !condition.matcher.matches(value) else { return nil }
      let path =
        condition.path == "alert" ? notification.alert?.path ?? "payload.\(AlertText.path)" : condition.path
      return Difference(
        path: path,
        expected: ValueText.expected(condition.matcher, butFound: value),
        actual: value
      )
    }
  }

  package struct Difference: Hashable, Sendable {
    package var path: String
    package var expected: String
    /// nil where there is nothing at the path.
    package var actual: JSONValue?
    /// The finding as people read it: in JSON's notation, and its type where that alone differs.
    package var found: String { ValueText.found(actual) }
  }
}

extension NotificationView {
  /// The text of its alert; nil without one.
  package var alert: AlertText? { (try? JSONValue.parse(payload)).flatMap { AlertText($0) } }

  /// The value at a path of the notification object: `topic`, `status`, `payload.aps.alert`; `alert` is its text.
  package func value(at path: String) -> JSONValue? {
    switch path {
    case "id": return .string(id)
    case "connection": return .string(connection.description)
    case "environment": return .string(app.environment.rawValue)
    case "topic": return .string(app.topic)
    case "token": return .string(tokenText.lowercased())
    case "device": return device.map { .string($0) }
    case "interface": return .string(interface.name)
    case "command": return interface.command.map { .number("\($0)") }
    case "identifier": return identifier.map { .string($0.hex) }
    case "expiry": return expiry.map { .number("\($0)") }
    case "priority": return .number("\(priority)")
    case "payload": return try? JSONValue.parse(payload)
    case "payloadSize": return .number("\(payloadSize)")
    case "alert": return alert?.value
    case "outcome": return .string(outcome.description)
    case "status" where request == nil: return .number("\(status.rawValue)")
    default:
      guard path.hasPrefix("payload.") else { return request?.value(at: path) }
      return (try? JSONValue.parse(payload))?[String(path.dropFirst("payload.".count))]
    }
  }
}
