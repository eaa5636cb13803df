package import APNSimWire

/// The conditions of a rule. All that are given must hold.
///
/// The connection's own (`listener`, `connection`, `topic`, `environment`) are tested once for each connection;
/// the cheap ones of the notification before its payload is parsed.
package struct RuleMatch: Hashable, Sendable {
  package var listener = Door.any
  /// The connection's place among those of its listener, from 1.
  package var connection: Matcher?
  package var topic: Matcher?
  package var environment: PushEnvironment?

  /// The notification's place on its connection, from 1.
  package var nth: Matcher?
  package var command: Matcher?
  /// Its eight lower-case hex digits.
  package var identifier: Matcher?
  package var priority: Matcher?
  package var token: Matcher?
  package var device: Matcher?
  /// `binary`, `http2`.
  package var interface: Matcher?
  /// Conditions on requests: frames do not have these, so that no frame fits. The reason is the one that the judge
  /// would give, and a rule that asks for one sees requests that are refused by themselves.
  package var pushType: Matcher?
  package var collapseId: Matcher?
  package var apnsId: Matcher?
  package var stream: Matcher?
  package var reason: Matcher?
  /// Dotted paths into the payload.
  package var payload: [PathMatch] = []
  /// The chance that a match counts, drawn from the seed after everything else fits.
  package var probability: Double?

  /// The listeners on whose connections a rule holds.
  package enum Door: String, Hashable, Sendable {
    /// Both that notifications come in by; what a rule means that names no listener.
    case interfaces
    case gateway, http2, feedback, any

    /// A listener by itself; nil is any.
    package init(_ listener: Listener?) {
      self = listener.map { Door(rawValue: $0.rawValue) ?? .any } ?? .any
    }

    func admits(_ listener: Listener) -> Bool {
      switch self {
      case .any: true
      case .interfaces: listener == .gateway || listener == .http2
      case .gateway, .http2, .feedback: rawValue == listener.rawValue
      }
    }
  }

  package struct PathMatch: Hashable, Sendable {
    package var path: String
    package var matcher: Matcher

    package init(path: String, matcher: Matcher) {
      self.path = path
      self.matcher = matcher
    }
  }

  package init() {}

  /// True if there is a condition that only requests can meet.
  var asksForRequest: Bool {
    pushType != nil || collapseId != nil || apnsId != nil || stream != nil || reason != nil
  }

  /// False where no notification of such a connection can meet the rule.
  /// - Parameter ofRequests: each request names its own topic, whatever its connection's certificate is for.
  func fits(
    _ candidate: Listener,
    ordinal: UInt32,
    provider: ProviderIdentity,
    ofRequests: Bool = false
  ) -> Bool {
    guard listener.admits(candidate) else { return false }
    if let interface, !interface.matches(.string(candidate == .http2 ? "http2" : "binary")) { return false }
    if let environment, environment != provider.environment { return false }
    if let topic, !ofRequests, !topic.matches(.string(provider.topic)) { return false }
    if let connection, !connection.matches(.number("\(ordinal)")) { return false }
    return true
  }
}

extension RuleMatch: JSONDescribed {
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if listener != .interfaces { writer.member("listener", listener.rawValue) }
    let tests: [(StaticString, Matcher?)] = [
      ("connection", connection), ("topic", topic), ("nth", nth), ("command", command),
      ("identifier", identifier), ("priority", priority), ("token", token), ("device", device),
      ("interface", interface), ("pushType", pushType), ("collapseId", collapseId), ("apnsId", apnsId),
      ("stream", stream), ("reason", reason),
    ]
    for case (let key, let matcher?) in tests {
      writer.key(key)
      matcher.write(to: &writer)
    }
    if let environment {
      writer.member("environment", environment.rawValue)
    }
    if !payload.isEmpty {
      writer.key("payload")
      writer.beginObject()
      for match in payload {
        writer.key(match.path)
        match.matcher.write(to: &writer)
      }
      writer.endObject()
    }
    if let probability {
      writer.key("probability")
      writer.raw("\(probability)".utf8)
    }
    writer.endObject()
  }

  /// The schema of the noun that conditions are read by.
  package static func schema(_ schemas: inout JSONSchemas) -> JSONValue { JSONSchemas.reference(to: "Match") }
}
