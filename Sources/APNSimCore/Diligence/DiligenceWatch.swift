/// Watches how one provider (topic and environment) behaves, the way Apple's guide says APNs does, and advises.
///
/// It is fed what happens as it happens, in constant time and with bounded memory: a tally for each kind of advice
/// and the times of the latest short connections. It changes nothing by itself; only with `--enforce` the answer of
/// ``refusesConnection(at:)`` is heeded.
///
/// Source: Local and Push Notification Programming Guide 2011-08-09, "More About Push Notifications" ("continually
/// monitors providers for irregular behavior") and "The Feedback Service".
package struct DiligenceWatch: Sendable {
  package let limits: DiligenceLimits
  private var tallies: [AdviceTally] = []

  private var churn = ConnectionChurn()
  private var feedback = UnreadFeedback()

  /// Discarded notifications that have not been resent.
  private var debt = ResendDebt()

  /// Requests that got no answer, were not accepted and have not been sent again; and how many came since the latest.
  private var unanswered = ResendDebt()
  private var sinceUnanswered = 0
  private var minting = TokenMinting()

  // MARK: Connections

  /// A connection to the gateway; the returned value goes with it.
  package mutating func connectionOpened(at now: Timestamp) -> ConnectionDiligence {
    ConnectionDiligence(openedAt: now, debt: debt.isOpen ? debt.ordinal : 0)
  }

  /// Takes note of its end. `byProvider` is false where the simulator ended it: after an error, on a timeout, in a fault.
  package mutating func connectionClosed(
    _ connection: ConnectionDiligence,
    byProvider: Bool,
    at now: Timestamp
  ) {
    var connection = connection
    endRead(of: &connection)
    guard byProvider else { return }
    if connection.debt == debt.ordinal, connection.resent == 0, connection.others > 0 { debt.giveUp(at: now) }
    guard now - connection.openedAt < limits.churnLifetime else { return }
    if let churn = churn.closed(at: now, limits: limits) {
      note(.connectionChurn, churn.count, since: churn.since, at: now)
    }
  }

  /// A connection has ended within a frame.
  package mutating func endedWithinFrame(at now: Timestamp) { note(.unfinishedFrame, 1, at: now) }

  /// True if a new connection is to be refused: there was churn, and no quiet since.
  package func refusesConnection(at now: Timestamp) -> Bool { churn.refuses(at: now) }

  /// A connection was refused for that: the provider is not quiet yet.
  package mutating func connectionRefused(at now: Timestamp) {
    churn.refused(at: now, limits: limits)
    note(.connectionChurn, 1, at: now)
  }

  // MARK: Notifications

  /// A batch of notifications was judged, the rejected one of it included.
  /// - Parameter read: which read of the connection the batch came in, from 1; 0 where reads must not matter,
  ///   because time stands still between them.
  package mutating func received(
    _ batch: BatchDiligence,
    read: UInt32,
    on connection: inout ConnectionDiligence,
    at now: Timestamp
  ) {
    if batch.withWhitespace > 0 {
      note(.payloadWhitespace, batch.withWhitespace, amount: batch.whitespaceBytes, at: now)
    }
    if batch.alertsWithOnlyBody > 0 { note(.alertOnlyBody, batch.alertsWithOnlyBody, at: now) }
    if batch.withMisplacedKey > 0 { note(.misplacedKey, batch.withMisplacedKey, at: now) }
    if let unread = feedback.sent(batch.notifications, at: now, limits: limits) {
      note(.feedbackNotRead, unread.count, since: unread.since, at: now)
    }
    if debt.outstanding > 0 { countResends(batch, on: &connection, at: now) }
    if read > 0 { count(batch.notifications, read: read, on: &connection, at: now) }
  }

  /// Takes note of notifications that came after an error on their connection and were discarded.
  /// - Parameters:
  ///   - resent: how many of them make good an earlier discard, and are owed once more.
  ///   - errorAt: when the error response was sent; nil where the error was answered without one.
  package mutating func discarded(
    _ notifications: Int,
    resent: Int,
    errorAt: Timestamp?,
    on connection: inout ConnectionDiligence,
    at now: Timestamp
  ) {
    connection.discarded &+= notifications
    connection.resent &+= resent
    debt.add(notifications, resent: resent, at: now)
    guard let errorAt else { return }
    if now - errorAt > limits.errorPatience || connection.discarded > limits.errorNotifications {
      note(.errorIgnored, notifications, at: now)
    }
  }

  /// There was no room to follow so many of the discarded: whether they come again is not known, so that nothing is
  /// said of them.
  package mutating func followsNoMore(_ notifications: Int) { debt.settle(notifications) }

  /// A connection was forgotten, with so many discarded notifications that had not come again.
  package mutating func forgets(_ notifications: Int) { debt.forget(notifications) }

  /// A notification was accepted that had been accepted before an error.
  package mutating func acceptedAgain(at now: Timestamp) { note(.acceptedSentAgain, 1, at: now) }

  private mutating func countResends(
    _ batch: BatchDiligence,
    on connection: inout ConnectionDiligence,
    at now: Timestamp
  ) {
    connection.resent &+= batch.resent
    connection.others &+= max(0, batch.notifications - batch.resent)
    debt.settle(batch.resent)
    if connection.debt == debt.ordinal, connection.others >= limits.resendGrace { debt.giveUp(at: now) }
  }

  // MARK: One notification per write

  private mutating func count(
    _ notifications: Int,
    read: UInt32,
    on connection: inout ConnectionDiligence,
    at now: Timestamp
  ) {
    if read == connection.read {
      connection.readCount &+= notifications
      return
    }
    let isClose = connection.read > 0 && now - connection.readAt <= limits.writeGap
    endRead(of: &connection)
    if !isClose { connection.singles = 0 }
    if connection.singles == 0 { connection.singlesSince = now }
    connection.read = read
    connection.readAt = now
    connection.readCount = notifications
  }

  /// The latest read has all its notifications.
  private mutating func endRead(of connection: inout ConnectionDiligence) {
    guard connection.readCount == 1 else {
      connection.singles = 0
      return
    }
    connection.singles &+= 1
    if connection.singles == limits.singleWrites {
      let since = connection.singlesSince
      note(.oneNotificationPerWrite, connection.singles, since: since, at: connection.readAt)
    } else if connection.singles > limits.singleWrites {
      note(.oneNotificationPerWrite, 1, at: connection.readAt)
    }
  }

  // MARK: Feedback

  /// A tuple has come into the provider's feedback list.
  package mutating func tupleListed(at now: Timestamp) { feedback.listed(at: now) }

  /// A reader of the list has taken tuples and left `waiting` for the next.
  package mutating func feedbackRead(waiting: Int, at now: Timestamp) {
    feedback.wait(since: waiting > 0 ? now : nil)
  }

  /// The list was cleared by somebody else than its reader.
  package mutating func feedbackCleared() { feedback.wait(since: nil) }

  /// A notification went to a token of a removed app that the list had, or has had, already.
  /// - Parameter wasRead: a reader of the list was told before.
  package mutating func sentToListed(wasRead: Bool, at now: Timestamp) {
    note(.sentToListedToken, 1, amount: wasRead ? 1 : 0, at: now)
  }

  // MARK: Requests

  /// A request showed a habit.
  package mutating func requested(_ kind: AdviceKind, at now: Timestamp) { note(kind, 1, at: now) }

  /// A request came, whatever it is answered.
  /// - Parameter token: the number of its provider token; nil without one, and for one that was refused as made too soon.
  package mutating func requestCame(token: UInt64?, at now: Timestamp) {
    if let token { minting.sent(token, at: now, limits: limits) }
    guard unanswered.isOpen else { return }
    sinceUnanswered += 1
    if sinceUnanswered >= limits.resendGrace { unanswered.giveUp(at: now) }
  }

  /// A request gets no answer, and was not accepted.
  package mutating func leftUnanswered(at now: Timestamp) {
    unanswered.add(1, resent: 0, at: now)
    sinceUnanswered = 0
  }

  /// A request without an answer has come again.
  package mutating func unansweredSentAgain() { unanswered.settle(1) }

  /// There was no room to follow such a request until it comes again.
  package mutating func followsUnansweredNoMore() { unanswered.settle(1) }

  /// The connection of such a request was forgotten.
  package mutating func forgetsUnanswered() { unanswered.forget(1) }

  /// True while such requests may still be sent again.
  var awaitsUnanswered: Bool { unanswered.isOpen }

  /// A request that had been accepted, without an answer, was accepted again.
  package mutating func deliveredTwice(at now: Timestamp) { note(.deliveredTwice, 1, at: now) }

  /// A connection of requests is gone that its provider closed.
  /// - Parameter requests: the number of requests that it brought.
  package mutating func requestsClosed(openedAt: Timestamp, requests: UInt64, at now: Timestamp) {
    connectionClosed(ConnectionDiligence(openedAt: openedAt, debt: 0), byProvider: true, at: now)
    if requests == 1 { note(.connectionPerPush, 1, at: now) }
  }

  // MARK: Advice

  /// The advice, in the order of ``AdviceKind``: what is serious before what could be better.
  /// - Parameters:
  ///   - waiting: the number of open connections that wait for the rest of a frame, and the time.
  ///   - end: when everything ends: what has not been sent again by then is given up. Nil while it goes on.
  package func advice(
    for provider: AppKey,
    waiting: (count: Int, at: Timestamp)? = nil,
    end: Timestamp? = nil
  ) -> [Advice] {
    AdviceKind.allCases.compactMap { kind in
      var tally = tally(of: kind, end: end)
      if kind == .unfinishedFrame, let waiting, waiting.count > 0 {
        tally.add(waiting.count, amount: 0, from: waiting.at, to: waiting.at)
      }
      if kind == .badDeviceTokens, tally.count < UInt64(clamping: limits.badDeviceTokens) { return nil }
      if kind == .connectionPerPush, !isConnectionPerPush(tally) { return nil }
      return tally.count == 0 ? nil : Advice(kind: kind, provider: provider, tally: tally, limits: limits)
    }
  }

  /// True if connections with one push are many, and churn does not say so already.
  private func isConnectionPerPush(_ tally: AdviceTally) -> Bool {
    tally.count >= UInt64(clamping: limits.churnConnections)
      && self.tally(of: .connectionChurn, end: nil).count == 0
  }

  /// True while what a connection discarded then may still be sent again.
  func awaits(discardedAt time: Timestamp) -> Bool { debt.awaits(discardedAt: time) }

  private func tally(of kind: AdviceKind, end: Timestamp?) -> AdviceTally {
    if kind == .discardedNotResent {
      var debt = debt
      if let end { debt.giveUp(at: end) }
      return debt.tally
    }
    if kind == .tokenPerPush { return minting.tally(limits) }
    if kind == .unansweredNotSentAgain {
      var unanswered = unanswered
      if let end { unanswered.giveUp(at: end) }
      return unanswered.tally
    }
    return tallies.isEmpty ? AdviceTally() : tallies[Int(kind.rawValue)]
  }

  private mutating func note(
    _ kind: AdviceKind,
    _ count: Int,
    amount: Int = 0,
    since: Timestamp? = nil,
    at now: Timestamp
  ) {
    if tallies.isEmpty { tallies = Array(repeating: AdviceTally(), count: AdviceKind.allCases.count) }
    tallies[Int(kind.rawValue)].add(count, amount: amount, from: since ?? now, to: now)
  }
}

extension DiligenceWatch {
  package init(limits: DiligenceLimits = DiligenceLimits()) { self.limits = limits }
}

extension DiligenceWatch: KeptByMembers {
  static let members = Members(
    {
      DiligenceWatch(
        limits: DiligenceLimits(),
        tallies: $0,
        churn: $1,
        feedback: $2,
        debt: $3,
        unanswered: $4,
        sinceUnanswered: $5,
        minting: $6
      )
    },
    \.tallies,
    \.churn,
    \.feedback,
    \.debt,
    \.unanswered,
    \.sinceUnanswered,
    \.minting
  )

  /// An earlier version has fewer kinds of advice: the later ones come last.
  mutating func complete(_ state: StateReader) throws(StateError) {
    let count = AdviceKind.allCases.count
    guard tallies.isEmpty || tallies.count == count || state.version == 1 && tallies.count < count else {
      throw state.error("\(count) tallies were expected, and \(tallies.count) found")
    }
    if !tallies.isEmpty {
      tallies += Array(repeating: AdviceTally(), count: count - tallies.count)
    }
    try state.expectTallies(sinceUnanswered)
  }
}
