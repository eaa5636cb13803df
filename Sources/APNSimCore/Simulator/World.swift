internal import APNSimWire

/// The whole state of a simulator, as one value behind one lock.
///
/// It has no clock, randomness, logger, socket or file of its own: time and bytes come in through the simulator's
/// door, effects and events go out. Each part keeps its own rules, and its state is nobody else's to write; extensions
/// beside what they are about (delivery, feedback, devices, connections, journal) let the parts act together.
struct World: ~Copyable {
  let setup: Setup
  let issuer: any TokenIssuing
  var schedule: Schedule
  var random: SeededGenerator

  var apps: AppTable
  var devices = DeviceRegistry()
  var store = StoredNotifications()
  var underway = UnderwayNotifications()
  var history: History

  var connections: ConnectionBook
  var sessions = DeviceSessions()
  /// Scripted tuples that are due later.
  var scriptedFeedback = ScriptedFeedback()

  var book: RuleBook
  var timeline: Timeline

  var waits = WaitBook()
  var feed = JournalFeed()
  var effects = Effects()
  var tally = Tally()

  /// A world in which nothing is yet.
  /// - Parameter wall: the wall time.
  init(_ setup: Setup, issuer: any TokenIssuing, wall: Timestamp, history: consuming History) {
    self.setup = setup
    self.issuer = issuer
    schedule = Schedule(setup.clock, start: wall)
    random = SeededGenerator(seed: setup.seed)
    book = RuleBook(setup.scenario.rules, state: setup.scenario.state)
    timeline = Timeline(setup.scenario.timeline)
    apps = AppTable(limits: setup.configuration.limits)
    connections = ConnectionBook(limits: setup.configuration.limits)
    self.history = history
  }

  @inline(__always)
  var configuration: Configuration { _read { yield setup.configuration } }

  @inline(__always)
  var clock: SimulationClock { _read { yield schedule.clock } }

  @inline(__always)
  var now: Timestamp { schedule.now }

  /// Puts in everything that the scenario says to start with.
  mutating func populate() throws(CommandError) {
    let scenario = setup.scenario
    guard scenario.rules.count <= RuleBook.limit else { throw .tooManyRules(limit: RuleBook.limit) }
    for app in scenario.apps { _ = try appOrError(app) }
    for device in scenario.devices {
      try put(device)
      recordInTime()
    }
    for tuple in scenario.feedback {
      try add(tuple)
      recordInTime()
    }
    scheduleTimeline()
  }
}
