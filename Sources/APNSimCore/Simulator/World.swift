internal import APNSimWire
internal import DequeModule
internal import HeapModule

/// The whole state of a simulator, as one value behind one lock.
///
/// It has no clock, randomness, logger, socket or file of its own: time and bytes come in through the simulator's
/// door, effects and events go out. Its parts live in extensions beside what they are about: delivery, feedback,
/// devices, connections, journal.
struct World: ~Copyable {
  private(set) var configuration: Configuration
  /// What it was made from, before any scenario that came later.
  let original: Configuration
  private(set) var scenario = Scenario()
  private(set) var seed: UInt64
  /// What it was started with, before any scenario that came later.
  let originalSeed: UInt64
  let issuer: any TokenIssuing
  /// The simulated time at which everything began.
  var start: Timestamp
  var clock: SimulationClock
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

  var deadlines = Heap<Deadline>()
  /// So many deadlines may wait before stale ones are looked for.
  var deadlineRoom = World.leastDeadlineRoom
  var nextOrder: UInt64 = 0
  /// Where the clock is being brought through what is due, nil at other times; and whether it goes on from there by
  /// command.
  private var destination: Timestamp?
  private var isAnchoredThere = false
  /// Scripted tuples that are due later.
  var scriptedFeedback = ScriptedFeedback()

  /// Connections so far, by listener.
  var nextOrdinal: [Listener: UInt32] = [:]
  var book: RuleBook
  /// What the rules that ask for a text have learned of the payload at hand.
  var payloadPairs = PayloadPairs()
  /// How often what frames are judged by may have changed.
  var judgings = 0
  /// Actions for connections other than the one that called in.
  var outbox: [(ConnectionID, GatewayAction)] = []
  var outlet: (any EffectOutlet)?
  /// Moments that listeners wait for, and those that have come.
  var reminders: [Reminder: Timestamp] = [:]
  var dueReminders: [Reminder] = []
  /// Connections that an operator ends.
  var endings: [(ConnectionID, ConnectionEnding)] = []
  /// Those who wait for notifications.
  var waits = WaitBook()
  /// Those who read the journal.
  var journalPlaces: [JournalPlace] = []
  /// Those who wait for the journal to go on, and those to be told that it has.
  var journalWatchers: [JournalWatcher] = []
  private var dueWatchers: [@Sendable () -> Void] = []
  /// What has been counted since the last reset.
  var tally = Tally()
  /// What a new beginning has left behind, for whoever called in to let go of outside the lock.
  var leftovers: Leftovers?

  /// The connections that hold devices online, by device.
  var sessions: [UInt32: DeviceSession] = [:]
  /// Device connections that have got something to send.
  var deviceWakes: [ConnectionID] = []
  /// What the users of devices prefer to read, by device, best first.
  var languages: [UInt32: [String]] = [:]
  var bundles: [AppKey: AppBundle] = [:]

  var timeline: [TimelineEntry] = []
  var expectationResults: [Expectation.Result] = []
  var timelineFailures: [TimelineFailure] = []

  var recording = Recording()

  /// A world in which nothing is yet.
  init(
    configuration: Configuration,
    original: Configuration,
    issuer: any TokenIssuing,
    scenario: Scenario,
    seed: UInt64,
    originalSeed: UInt64,
    start wall: Timestamp,
    history: consuming History
  ) {
    book = RuleBook(scenario.rules, state: scenario.state)
    self.configuration = configuration
    self.original = original
    self.issuer = issuer
    self.scenario = scenario
    self.seed = seed
    self.originalSeed = originalSeed
    clock = SimulationClock(scenario.clock ?? .real, start: wall)
    start = clock.now
    random = SeededGenerator(seed: seed)
    self.history = history
  }

  /// Everything that the scenario says to start with.
  mutating func furnish() throws(CommandError) {
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
    bundles = scenario.bundles
    timeline = scenario.timeline
    for (index, entry) in timeline.enumerated() {
      schedule(.timeline(index: UInt32(truncatingIfNeeded: index)), at: start + entry.at)
    }
  }

  var now: Timestamp { clock.now }

  /// Brings the clock to an input's wall time, through everything that is due on the way.
  @inline(__always)
  mutating func arrive(at wall: Timestamp) {
    let target = clock.target(wall: wall)
    guard let next = deadlines.min, next.at <= target else { return clock.reach(target) }
    runDeadlines(until: target)
  }

  /// Brings the clock to a moment by command, through everything that is due on the way, and lets it go on from there.
  mutating func advance(to moment: Timestamp) {
    // A command of the timeline moves the way it is met on further, however many of them there are.
    if let way = destination {
      destination = max(way, moment)
      isAnchoredThere = true
    } else {
      runDeadlines(until: moment)
      clock.anchor()
    }
  }

  /// Brings the clock back by command. One of the timeline ends the way it is met on.
  mutating func goBack(to moment: Timestamp) {
    clock.set(moment)
    if destination != nil { destination = moment }
  }

  /// Does what is due, each thing at its own moment, in order.
  private mutating func runDeadlines(until target: Timestamp) {
    destination = target
    while let next = deadlines.min, next.at <= destination ?? target {
      deadlines.removeMin()
      clock.reach(next.at)
      switch next.task {
      case .expireStored(let registration): expireStored(registration, at: next.at)
      case .sendReply(let id): sendReply(id)
      case .closeIdle(let id): closeIdle(id)
      case .comeOnline(let device) where devices.has(device):
        setOnline(devices.registrations[device.registration].device, true)
      case .refuse(let device) where devices.has(device): endRemoval(of: device)
      case .comeOnline, .refuse: break
      case .arrive(let place): arrive(place)
      case .remind(let reminder): if let due = takeReminder(reminder) { dueReminders.append(due) }
      case .timeline(let index): follow(timeline[Int(index)])
      case .addFeedback(let number):
        if let (app, tuple) = scriptedFeedback.take(number) { addFeedback(tuple, app: app) }
      }
      recordInTime()
    }
    clock.reach(destination ?? target)
    if isAnchoredThere { clock.anchor() }
    (destination, isAnchoredThere) = (nil, false)
  }

  /// What happens in one go may be more than the history keeps: what is being recorded must not fall out of it unwritten.
  private mutating func recordInTime() {
    if history.endEvent - recording.cursor.event > 500 { flushRecording() }
  }

  /// One entry of the timeline. A command that cannot be carried out is an event, not a failure of anything else.
  private mutating func follow(_ entry: TimelineEntry) {
    switch entry.action {
    case .expect(let expectation): check(expectation)
    case .perform(let command):
      do throws(CommandError) { try perform(command) } catch {
        timelineFailures.append(TimelineFailure(time: clock.now, reason: error.description))
        emit(.timelineFailed(error.description))
      }
    }
  }

  /// Whether something is to be done on connections other than the one that called in.
  @inline(__always)
  var hasEffects: Bool {
    !outbox.isEmpty || !dueReminders.isEmpty || !deviceWakes.isEmpty || !endings.isEmpty
      || !waits.changed.isEmpty || !dueWatchers.isEmpty
  }

  /// The journal has grown, if it has: who waited for that is due.
  @inline(__always)
  mutating func wakeJournalWatchers(since seq: UInt64) {
    if !journalWatchers.isEmpty, history.nextSeq > seq { sortOutWatchers() }
  }

  @inline(never)
  private mutating func sortOutWatchers() {
    guard journalWatchers.contains(where: { $0.seq < history.nextSeq }) else { return }
    dueWatchers += journalWatchers.filter { $0.seq < history.nextSeq }.map(\.tell)
    journalWatchers.removeAll { $0.seq < history.nextSeq }
  }

  mutating func takeDueWatchers() -> [@Sendable () -> Void] {
    defer { dueWatchers = [] }
    return dueWatchers
  }

  mutating func dropEffects() { (outbox, dueReminders, deviceWakes, endings) = ([], [], [], []) }

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
