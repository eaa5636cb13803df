import APNSimWire

/// The whole state of a simulator, as one value behind one lock.
///
/// It has nothing of the machine's, no clock, randomness, logger, socket or file: time and bytes come in through the simulator's
/// door, effects and events go out. Each part keeps its own rules; extensions in the rooms above let the parts act together.
struct World: ~Copyable {
  /// Configuration, scenario, seed, beginning and maker of tokens.
  let setup: Setup
  /// The clock, and what is due on it.
  var schedule: Schedule
  /// All randomness.
  var random: SeededGenerator

  /// Apps with their feedback lists, resends and habits.
  var apps: AppTable
  /// Devices, the apps on them and their tokens.
  var devices = DeviceRegistry()
  /// The one notification that waits for each app on an offline device.
  var store = StoredNotifications()
  /// Notifications that reach their devices later.
  var underway = UnderwayNotifications()
  /// Broadcast channels, and who is subscribed to them.
  var channels: ChannelBook
  /// Live Activities.
  var activities = ActivityBook()
  /// The last notifications, deliveries and events.
  var history: History
  /// Counts since the last reset.
  var tally = Tally()

  /// Connections of providers.
  var connections: ConnectionBook
  /// The ages of provider tokens at first sight, where their provider's clock was another.
  var firstSights = FirstSights()
  /// Connections that hold devices online.
  var sessions = DeviceSessions()

  /// Rules, and how far each has got.
  var book: RuleBook
  /// Commands and expectations in time, and what has come of them.
  var timeline: Timeline

  // Observers; what happens does not depend on them.
  var waits = WaitBook()
  var feed = JournalFeed()
  var effects = Effects()

  /// A world in which nothing is yet.
  /// - Parameter wall: the wall time.
  init(_ setup: Setup, wall: Timestamp, history: consuming History) {
    self.setup = setup
    schedule = Schedule(setup.clock, start: wall)
    random = SeededGenerator(seed: setup.seed)
    book = RuleBook(setup.scenario.rules, state: setup.scenario.state)
    timeline = Timeline(setup.scenario.timeline)
    apps = AppTable(limits: setup.configuration.limits)
    channels = ChannelBook(limits: setup.configuration.limits, silent: setup.scenario.silentApps)
    connections = ConnectionBook(limits: setup.configuration.limits)
    self.history = history
  }

  @inline(__always)
  var configuration: Configuration { _read { yield setup.configuration } }

  @inline(__always)
  var clock: SimulationClock { _read { yield schedule.clock } }

  @inline(__always)
  var now: Timestamp { schedule.now }
}
