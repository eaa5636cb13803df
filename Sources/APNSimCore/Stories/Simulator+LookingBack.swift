import APNSimWire

/// The hits that a rule would have had in the history.
extension Simulator {
  /// Notifications that are looked at: the newest.
  private static var mostLookedAt: UInt64 { 100_000 }

  /// Looks at the history in stretches, between which others have their turn.
  /// - Parameter isWanted: false once nobody waits for the answer: it ends early then.
  package func lookBack(_ rule: Rule, while isWanted: @Sendable () -> Bool) async -> FaultPreview.LookingBack
  {
    var back = LookingBackCount(rule)
    guard back.isOfNotifications else {
      withWorld { $0.lookBackOnConnections(&back) }
      return back.found
    }
    var (next, end) = withWorld { world in
      let (first, end) = (world.history.notifications.first, world.history.notifications.end)
      return (max(first, end - min(end, Self.mostLookedAt)), end)
    }
    while next < end, isWanted() {
      next = withWorld { $0.lookBack(from: next, before: end, &back) }
      await Task.yield()
    }
    return back.found
  }
}

/// Counts what fits a rule, and at which of those it would fire.
struct LookingBackCount {
  let rule: Rule
  let entry: RuleBook.Entry
  fileprivate let stepsPerByte: Int
  private(set) var found = FaultPreview.LookingBack()
  /// Whether the connection's own conditions hold, and the place of its last notification.
  fileprivate var connections: [ConnectionID: (fits: Bool, last: UInt64)] = [:]

  init(_ rule: Rule) {
    self.rule = rule
    entry = RuleBook.Entry(rule)
    stepsPerByte = rule.when.payload.reduce(0) { $0 + $1.matcher.stepsPerByte }
    found.isOfConnections = entry.moment != .notification
  }

  var isOfNotifications: Bool { !found.isOfConnections }

  mutating func count(fits: Bool, _ name: @autoclosure () -> String) {
    found.total += 1
    guard fits else { return }
    found.count += 1
    let past = found.count - rule.after
    guard past > 0, (past - 1) % max(1, rule.every) == 0, found.fired < rule.times ?? .max else { return }
    found.fired += 1
    if found.first.count < FaultPreview.LookingBack.mostFirst { found.first.append(name()) }
  }
}

extension World {
  private static var lookedAtAtOnce: UInt64 { 2_000 }

  /// - Returns: where to go on.
  fileprivate func lookBack(from number: UInt64, before end: UInt64, _ back: inout LookingBackCount) -> UInt64
  {
    let start = max(number, history.notifications.first)
    let stop = min(start + Self.lookedAtAtOnce, end, history.notifications.end)
    guard start < stop else { return end }
    var steps = 0
    for number in start..<stop {
      let record = history.notifications[number]
      if steps >= CompiledQuery.stretch { return number }
      steps += CompiledQuery.steps(perByte: back.stepsPerByte, Int(record.evidenceByteCount))
      var known = back.connections[record.connection] ?? (fits(back.entry, record), 0)
      known.last += 1
      back.connections[record.connection] = known
      // A notification that came after an error was never looked at.
      guard record.entry != .discarded else { continue }
      let fits = known.fits && fits(back.entry, record, at: known.last)
      back.count(fits: fits, "n\(number)")
    }
    return stop
  }

  fileprivate func lookBackOnConnections(_ back: inout LookingBackCount) {
    for connection in connections.all where back.entry.acts(on: connection.listener) {
      let record = connection.record
      let fits = back.rule.when.fits(
        connection.listener,
        ordinal: record.ordinal,
        provider: record.opening.provider
      )
      back.count(fits: fits, record.id.description)
    }
  }

  /// True where the rule's conditions of the connection hold; of a connection that is forgotten, as far as its
  /// notification tells.
  private func fits(_ entry: RuleBook.Entry, _ record: NotificationRecord) -> Bool {
    let listener: Listener = if case .http2 = record.interface { .http2 } else { .gateway }
    guard entry.acts(on: listener) else { return false }
    let known = connections[record.connection]?.record
    guard known != nil || entry.rule.when.connection == nil else { return false }
    let app = apps[record.app].key
    let stranger = ProviderIdentity(topics: [app.topic], environment: app.environment, subject: "")
    return entry.rule.when.fits(
      listener,
      ordinal: known?.ordinal ?? 0,
      provider: known?.opening.provider ?? stranger,
      ofRequests: listener == .http2
    )
  }

  private func fits(_ entry: RuleBook.Entry, _ record: NotificationRecord, at place: UInt64) -> Bool {
    let evidence = history.evidence(of: record)
    var submission = Submission()
    (submission.fields, submission.app, submission.interface) = (record.fields, record.app, record.interface)
    submission.end = evidence.count
    var reason: Reason?
    // A rule does not depend on whose token it is, nor on the checks after it; a request that one decided was good
    // before.
    if case .http2 = record.interface, record.failed != .none, record.failed != .rule {
      reason = RequestStatus(record).reason
      let ofToken: [Reason] = [.badDeviceToken, .deviceTokenNotForTopic, .unregistered, .expiredToken]
      if !(reason.map { ofToken.contains($0) } ?? false) { submission.failed = .request }
    } else if ![.none, .rule, .token, .priority, .payload].contains(record.failed) {
      return false
    }
    if case .late? = entry.effect, reason != .unregistered { return false }
    return fits(entry.rule.when, submission, reason, at: place, in: evidence)
  }
}
