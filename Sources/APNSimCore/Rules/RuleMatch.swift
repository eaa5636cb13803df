import APNSimWire

/// The conditions of a rule. All that are given must hold.
///
/// The connection's own (`listener`, `connection`, `topic`, `environment`) are tested once for each connection;
/// the cheap ones of the notification before its payload is parsed.
package struct RuleMatch: Hashable, Sendable {
  /// Gateway by default for notifications and its own for feedback faults; nil is any.
  package var listener: Listener?
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
  /// Those of requests: what frames do not have, so that no frame fits. The reason is the one that the judge would give,
  /// and a rule that asks for one sees requests that are refused by themselves.
  package var pushType: Matcher?
  package var collapseId: Matcher?
  package var apnsId: Matcher?
  package var stream: Matcher?
  package var reason: Matcher?
  /// Dotted paths into the payload.
  package var payload: [PathMatch] = []
  /// The chance that a match counts, drawn from the seed after everything else fits.
  package var probability: Double?

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
  func fits(_ candidate: Listener, ordinal: UInt32, provider: ProviderIdentity) -> Bool {
    if let listener, listener != candidate { return false }
    if let environment, environment != provider.environment { return false }
    if let topic, !topic.matches(.string(provider.topic)) { return false }
    if let connection, !connection.matches(.number("\(ordinal)")) { return false }
    return true
  }
}

extension RuleMatch {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("listener", listener?.rawValue ?? "any")
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
}
