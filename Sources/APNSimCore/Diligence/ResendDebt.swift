import APNSimWire

/// The notifications that errors cost one provider and that it has not sent again: those it may still resend, and those
/// that it is advised on.
///
/// A provider that was advised on a notification and sends it again after all owes nothing any more: the advice never
/// says more than the reports of the connections do.
struct ResendDebt: Sendable {
  /// Discarded, followed, and not sent again.
  private(set) var outstanding = 0
  /// The part of these that has been given up. It is the older part, and what is sent again is taken from the other
  /// part first.
  private var givenUp = 0
  /// Given up, and forgotten with the connections that lost them: nothing can come of them any more.
  private var lostForGood = 0
  /// The number of times that something was owed after nothing was.
  private(set) var ordinal: UInt32 = 0
  private var since: Timestamp?
  private var first: Timestamp?
  private var last = Timestamp(rawValue: 0)

  /// True while something is owed that has not been given up.
  var isOpen: Bool { outstanding > givenUp }

  /// True while what was discarded then may still be sent again: it has not been given up.
  func awaits(discardedAt time: Timestamp) -> Bool { isOpen && time >= since ?? time }

  /// Some were discarded, of which so many had been discarded before.
  mutating func add(_ notifications: Int, resent: Int, at now: Timestamp) {
    if !isOpen {
      ordinal &+= 1
      since = now
    }
    settle(resent)
    outstanding.add(saturating: notifications)
  }

  /// Notes notifications that have come again, or are not followed any more.
  mutating func settle(_ notifications: Int) {
    outstanding = max(0, outstanding - notifications)
    givenUp = min(givenUp, outstanding)
  }

  /// The connection that lost so many is forgotten.
  mutating func forget(_ notifications: Int) {
    let gone = min(notifications, givenUp)
    lostForGood.add(saturating: gone)
    givenUp -= gone
    outstanding = max(0, outstanding - notifications)
    givenUp = min(givenUp, outstanding)
  }

  /// Gives up what is owed: it is advised on until it comes.
  mutating func giveUp(at now: Timestamp) {
    guard isOpen else { return }
    if givenUp == 0, lostForGood == 0 { first = since ?? now }
    givenUp = outstanding
    last = now
  }

  /// The notifications that are advised on, and when they were.
  var tally: AdviceTally {
    var tally = AdviceTally()
    let count = givenUp &+ lostForGood
    if count > 0 { tally.add(count, amount: 0, from: first ?? last, to: last) }
    return tally
  }
}

extension ResendDebt: KeptByMembers {
  static let members = Members(
    Self.init,
    \.outstanding,
    \.givenUp,
    \.lostForGood,
    \.ordinal,
    \.since,
    \.first,
    \.last
  )

  func complete(_ state: StateReader) throws(StateError) {
    try state.expectTallies(outstanding, givenUp, lostForGood)
    guard givenUp <= outstanding else {
      throw state.error("at most \(outstanding) given up were expected, and \(givenUp) found")
    }
  }
}
