internal import APNSimWire
internal import DequeModule

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

  var apps: [App] = []
  var appIndex: [AppKey: UInt16] = [:]
  var devices = DeviceRegistry()
  var store = StoredNotifications()
  var underway = UnderwayNotifications()
  var history: History

  var connections: [ConnectionID: ConnectionRecord] = [:]
  /// Closed connections that are still remembered, oldest first.
  var closedConnections: Deque<ConnectionID> = []
  /// Discarded notifications that the connections above remember.
  var rememberedDiscards = 0
  /// Error responses of connections that are not remembered any more.
  var forgottenErrors: UInt64 = 0
  var nextConnection: UInt32 = 1
  /// Connections so far, by listener.
  var nextOrdinal: [Listener: UInt32] = [:]

  /// Scripted tuples that are due later.
  var scriptedFeedback = ScriptedFeedback()

  var book: RuleBook
  /// What the rules that ask for a text have learned of the payload at hand.
  var payloadPairs = PayloadPairs()
  var timeline: Timeline

  /// The connections that hold devices online, by device.
  var sessions: [UInt32: DeviceSession] = [:]
  /// What the users of devices prefer to read, by device, best first.
  var languages: [UInt32: [String]] = [:]

  var waits = WaitBook()
  var feed = JournalFeed()
  var effects = Effects()
  /// What has been counted since the last reset.
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

  /// Apps are counted in 16 bits.
  var mostApps: Int { min(configuration.limits.apps, Int(UInt16.max)) }

  /// The app of that key, made if there is room; nil otherwise.
  mutating func app(_ key: AppKey) -> UInt16? {
    if let index = appIndex[key] { return index }
    guard apps.count < mostApps else { return nil }
    let index = UInt16(apps.count)
    let limits = configuration.limits
    apps.append(
      App(
        key: key,
        ledger: FeedbackLedger(limit: limits.feedbackTuples),
        resends: ResendTracker(limit: limits.resendIdentifiers)
      )
    )
    appIndex[key] = index
    return index
  }
}
