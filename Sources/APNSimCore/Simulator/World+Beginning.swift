/// The state just after start, again: everything is made anew, and what must go on is carried over.
extension World {
  /// Puts in everything that the scenario says to start with.
  mutating func populate() throws(CommandError) {
    try populateDevices()
    try populateRest()
  }

  /// Puts in apps and devices, of which there may be very many.
  mutating func populateDevices() throws(CommandError) {
    let scenario = setup.scenario
    guard scenario.rules.count <= RuleBook.limit else { throw .tooManyRules(limit: RuleBook.limit) }
    for app in scenario.apps { _ = try appOrError(app) }
    devices.reserve(min(scenario.devices.count, configuration.limits.devices))
    for device in scenario.devices {
      try put(device)
      recordInTime()
    }
  }

  /// Puts in what may be about them.
  private mutating func populateRest() throws(CommandError) {
    let scenario = setup.scenario
    for channel in scenario.channels {
      try add(channel)
      recordInTime()
    }
    for activity in scenario.activities {
      try start(activity)
      recordInTime()
    }
    for tuple in scenario.feedback {
      try add(tuple)
      recordInTime()
    }
    scheduleTimeline()
  }

  /// Begins again: the state just after start, with settings and seed as they are.
  /// - Parameter prepared: the beginning, where it was prepared.
  mutating func reset(_ prepared: PreparedBeginning?) throws(CommandError) {
    try begin(setup.again(wall: clock.wall), prepared)
  }

  /// Begins another scenario. Nothing changes when it cannot be.
  /// - Parameter prepared: the outcome of preparing it, where that was done before.
  mutating func replace(
    by scenario: Scenario,
    _ prepared: Result<PreparedBeginning, CommandError>?
  ) throws(CommandError) {
    let beginning =
      if let prepared {
        try prepared.get()
      } else {
        try PreparedBeginning(
          setup.following(scenario, wall: clock.wall),
          wall: clock.wall,
          isRecorded: feed.isRecording
        )
      }
    try beginning.makeRoom(for: connections.open)
    try begin(setup.following(beginning.setup, wall: clock.wall), beginning)
  }

  /// Begins anew.
  ///
  /// Connections of providers stay open and are counted from here, devices have to connect again; sequence,
  /// notification and connection numbers go on, so that no number ever means two things.
  private mutating func begin(_ next: Setup, _ prepared: PreparedBeginning?) throws(CommandError) {
    for device in sessions.devices { endSession(of: device, .reset) }
    settleJournal()
    var fresh = made(from: next, History(limits: next.configuration.limits, after: history))
    fresh.feed = feed
    if prepared?.move(to: &fresh) != true {
      fresh.emit(.historyCleared)
      try fresh.populateDevices()
    }
    try fresh.populateRest()
    fresh.carryOn(from: self)
    swap(&self, &fresh)
    effects.replace(ReplacedWorld(fresh))
  }

  /// A world of another setup, with nothing in it yet.
  private func made(from next: Setup, _ history: consuming History) -> World {
    World(next, wall: clock.wall, history: history)
  }

  private mutating func carryOn(from older: borrowing World) {
    effects = older.effects
    connections = ConnectionBook(limits: configuration.limits, after: older.connections)
    sessions = DeviceSessions(after: older.sessions)
    waits = older.waits
    waits.beginAnew(from: history.notifications.end)
    for (reminder, span) in older.schedule.remindersLeft { remind(reminder, at: now + span) }
    for connection in older.connections.open { carryOn(connection) }
    for app in older.apps {
      if let place = apps.place(of: app.key) { apps[place].ledger.begin(after: app.ledger) }
    }
  }
}
