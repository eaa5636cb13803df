/// The state just after start, again: everything is made anew, and what must go on is carried over.
extension World {
  /// Begins again: the state just after start, with settings and seed as they are.
  mutating func reset() throws(CommandError) { try begin(setup.again(wall: clock.wall)) }

  /// Begins another scenario. Nothing changes when it cannot be.
  mutating func replace(by scenario: Scenario) throws(CommandError) {
    let next = try setup.following(scenario, wall: clock.wall)
    try check(next)
    try begin(next)
  }

  /// Begins anew.
  ///
  /// Connections of providers stay open and are counted from here, devices have to connect again; sequence,
  /// notification and connection numbers go on, so that no number ever means two things.
  private mutating func begin(_ next: Setup) throws(CommandError) {
    for device in sessions.keys.sorted() { endSession(of: device, .reset) }
    settleJournal()
    var fresh = made(from: next, History(limits: next.configuration.limits, after: history))
    fresh.feed = feed
    fresh.emit(.historyCleared)
    try fresh.populate()
    fresh.carryOn(from: self)
    swap(&self, &fresh)
    effects.replace(ReplacedWorld(fresh))
  }

  /// A world of another setup, with nothing in it yet.
  private func made(from next: Setup, _ history: consuming History) -> World {
    World(next, issuer: issuer, wall: clock.wall, history: history)
  }

  /// Whether a scenario can begin, with the connections that are open.
  private func check(_ next: Setup) throws(CommandError) {
    var trial = made(from: next, History(limits: next.configuration.limits))
    try trial.populate()
    for record in connections.values where record.isOpen {
      let provider = record.opening.provider
      _ = try trial.appOrError(AppKey(topic: provider.topic, environment: provider.environment))
    }
  }

  private mutating func carryOn(from older: borrowing World) {
    effects = older.effects
    nextConnection = older.nextConnection
    carryOnWaits(from: older)
    for (reminder, span) in older.schedule.remindersLeft { remind(reminder, at: now + span) }
    for record in older.connections.values.filter(\.isOpen).sorted(by: { $0.id < $1.id }) {
      // What has been ended is no connection of the new beginning, however long its provider takes to notice.
      if record.isOver { record.closedAt = now } else { carryOn(record, from: older) }
    }
    for app in older.apps {
      if let index = appIndex[app.key] { apps[Int(index)].ledger.begin(after: app.ledger) }
    }
  }

  private mutating func carryOn(_ record: ConnectionRecord, from older: borrowing World) {
    let provider = record.opening.provider
    // There is room: that was looked at before.
    guard let app = app(AppKey(topic: provider.topic, environment: provider.environment)) else { return }
    record.beginAnew(app: app, ordinal: takeOrdinal(of: record.listener), at: now)
    record.meet(book)
    if record.listener == .gateway { record.diligence = apps[Int(app)].diligence.connectionOpened(at: now) }
    connections[record.id] = record
    for pending in record.replies.timed {
      schedule(.sendReply(record.id, exchange: pending.exchange), at: now + pending.reply.delay)
    }
    if let span = record.plan.idleClose { schedule(.closeIdle(record.id), at: now + span) }
  }
}
