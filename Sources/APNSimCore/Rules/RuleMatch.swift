internal import APNSimWire

/// What a rule looks at. Everything that is given must fit.
///
/// Those of the connection (`listener`, `connection`, `topic`, `environment`) are tested once for each connection;
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

  /// Whether a connection of this kind can meet the rule at all.
  func fits(_ candidate: Listener, ordinal: UInt32, provider: ProviderIdentity) -> Bool {
    if let listener, listener != candidate { return false }
    if let environment, environment != provider.environment { return false }
    if let topic, !topic.matches(.string(provider.topic)) { return false }
    if let connection, !connection.matches(.number("\(ordinal)")) { return false }
    return true
  }
}
