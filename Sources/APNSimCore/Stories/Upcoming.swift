package import APNSimWire

/// Something that is due, as people read it: what the clock will bring unless something else comes first.
package struct Upcoming: Hashable, Sendable {
  package enum Kind: String, Hashable, JSONWord {
    /// A stored notification, or a channel's message, whose wait ends.
    case stored
    /// An entry of the scenario's timeline.
    case timeline
    /// A thing that a rule has begun: an outage, an answer that leaves later, a connection that is closed when idle.
    case fault
    /// A scripted tuple.
    case feedback
    /// A device of a magic token.
    case magic
    /// A device token that expires.
    case token
    /// A Live Activity that comes to its end.
    case activity
  }

  package var at: Timestamp
  package var kind: Kind
  package var text: String
  /// The number of the notification that it is about.
  package var notification: UInt64?
  package var device: String?
}

extension Upcoming: JSONObject {
  package static let shape = JSONShape<Self>("Upcoming") {
    $0.member("at") { $0.at }
    $0.member(
      "kind",
      """
      `stored`: a notification's wait ends, by its expiry or because its device comes online. `magic`: the device of a \
      magic token. `token`: a device token expires. `fault`: what a rule has begun.
      """
    ) { $0.kind }
    $0.member("text", "For people.") { $0.text }
    $0.optional("notification", "The notification that it is about.") {
      $0.notification.map { NotificationNumber($0) }
    }
    $0.optional("device") { $0.device }
  }
}

/// The things ahead of the clock, in order.
package struct Foresight: Sendable {
  /// The clock's time.
  package var now: Timestamp
  package var upcoming: [Upcoming] = []
  /// True where there is more than was asked for, or than can be foreseen.
  package var isCut = false
}

extension Foresight: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.list(
      "ahead",
      """
      What is due next, in order, if nothing else comes first. What follows from the timeline and from magic tokens is in \
      it: a device that comes online gets what waits for it.
      """,
      counts: 0...Simulator.mostUpcoming
    ) { $0.upcoming }
    $0.member("more", "True if there is more, or nobody can tell, as after a new beginning.") { $0.isCut }
  }
}

extension Simulator {
  /// The most that is told of what is ahead.
  package static let mostUpcoming = 200

  /// Looks ahead: what would happen while the clock moves on, and nobody does anything else. Nothing moves.
  /// - Parameter moment: the end; nil looks as far as there is anything.
  package func foresee(until moment: Timestamp? = nil) -> Foresight {
    withWorld { $0.foresee(until: moment, most: Self.mostUpcoming) }
  }

  /// The moment that a span from now on ends at.
  package func foresee(for span: TimeSpan) -> (Timestamp, Foresight) {
    withWorld { world in
      let moment = world.now + span
      return (moment, world.foresee(until: moment, most: Self.mostUpcoming))
    }
  }
}
