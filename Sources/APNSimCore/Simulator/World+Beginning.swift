/// The state just after start, again: everything is made anew, and what must go on is carried over.
extension World {
  /// Begins a scenario. Nothing changes when it cannot be.
  ///
  /// Connections of providers stay open and are counted from here, devices have to connect again; sequence,
  /// notification and connection numbers go on, so that no number ever means two things.
  /// - Parameter isReset: settings and seed stay as they are; else what the scenario says of them holds.
  mutating func begin(_ scenario: Scenario, isReset: Bool) throws(CommandError) {
    var configuration = isReset ? self.configuration : original
    let seed = isReset ? self.seed : scenario.seed ?? originalSeed
    if !isReset {
      try Self.apply(scenario.settings, to: &configuration)
      try check(scenario, configuration)
    }
    for device in sessions.keys.sorted() { endSession(of: device, .reset) }
    settleJournal()
    var fresh = made(
      for: scenario,
      configuration,
      seed,
      History(limits: configuration.limits, after: history)
    )
    if case .virtual(nil) = scenario.clock, self.scenario.clock == scenario.clock {
      fresh.clock = SimulationClock(.virtual(start: start), start: clock.wall)
      fresh.start = start
    }
    fresh.recording = recording
    fresh.emit(.historyCleared)
    try fresh.furnish()
    fresh.carryOn(from: self)
    swap(&self, &fresh)
    leftovers = Leftovers(fresh)
  }

  /// A world in which a scenario is about to begin, with nothing in it so far.
  private func made(
    for scenario: Scenario,
    _ configuration: Configuration,
    _ seed: UInt64,
    _ history: consuming History
  ) -> World {
    World(
      configuration: configuration,
      original: original,
      issuer: issuer,
      scenario: scenario,
      seed: seed,
      originalSeed: originalSeed,
      start: clock.wall,
      history: history
    )
  }

  /// Whether a scenario can begin, with the connections that are open.
  private func check(_ scenario: Scenario, _ configuration: Configuration) throws(CommandError) {
    var trial = made(for: scenario, configuration, seed, History(limits: configuration.limits))
    try trial.furnish()
    for record in connections.values where record.isOpen {
      let provider = record.opening.provider
      _ = try trial.appOrError(AppKey(topic: provider.topic, environment: provider.environment))
    }
  }

  /// A scenario's settings on top of those of the start. How much is kept is the process's business.
  private static func apply(
    _ settings: [SettingAssignment],
    to configuration: inout Configuration
  ) throws(CommandError) {
    let limits = configuration.limits
    for assignment in settings {
      do {
        try Setting.named(assignment.name)?.apply(assignment.text, to: &configuration)
      } catch {
        throw .badSetting("\(error)")
      }
    }
    configuration.limits = limits
  }

  private mutating func carryOn(from older: borrowing World) {
    outlet = older.outlet
    outbox = older.outbox
    endings = older.endings
    deviceWakes = older.deviceWakes
    dueReminders = older.dueReminders
    nextConnection = older.nextConnection
    judgings = older.judgings
    journalPlaces = older.journalPlaces
    journalWatchers = older.journalWatchers
    carryOnWaits(from: older)
    for (reminder, moment) in older.reminders.sorted(by: {
      ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue)
    }) {
      remind(reminder, at: now + (moment - older.now))
    }
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
    if let pending = record.pending, pending.framesLeft == 0 {
      schedule(.sendReply(record.id), at: now + pending.reply.delay)
    }
    if let span = record.plan.idleClose { schedule(.closeIdle(record.id), at: now + span) }
  }
}

/// What a new beginning has left behind. Letting go of it takes longer than anything else about it.
package final class Leftovers: @unchecked Sendable {
  private let world: World

  init(_ world: consuming World) { self.world = world }
}
