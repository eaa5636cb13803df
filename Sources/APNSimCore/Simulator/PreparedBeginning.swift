/// A beginning that was made beside the state that goes on meanwhile: that it can be is known, and its devices, which may be
/// very many, have their places and tokens.
final class PreparedBeginning: @unchecked Sendable {
  /// The setup that it was made of.
  let setup: Setup
  /// The apps that the beginning has, and whom there is room for besides.
  private var apps: AppTable
  /// A world with the apps and devices of the beginning, and with nothing else.
  private var world: World
  /// False where its oldest events have made room: what is recorded has all of them.
  private let hasAllEvents: Bool
  /// True while another world can have its devices.
  private(set) var isMovable: Bool

  /// - Parameters:
  ///   - wall: the wall time.
  ///   - isRecorded: true where somebody is handed every event.
  /// - Throws: why it cannot be.
  init(_ setup: Setup, wall: Timestamp, isRecorded: Bool) throws(CommandError) {
    var limits = setup.configuration.limits
    if isRecorded { (limits.events, limits.eventBytes) = (.max, .max) }
    world = World(setup, wall: wall, history: History(limits: limits))
    self.setup = setup
    apps = world.apps
    hasAllEvents = isRecorded
    // Whether a token has expired is known only when the beginning comes.
    isMovable = !setup.scenario.devices.contains { $0.apps.contains { $0.expires != nil } }
    world.emit(.historyCleared)
    try world.populateDevices()
    if world.devices.hasRemoved { isMovable = false }
    apps = world.apps
    if setup.scenario.hasMoreThanDevices {
      var whole = World(setup, wall: wall, history: History(limits: setup.configuration.limits))
      try whole.populate()
      apps = whole.apps
    }
  }

  /// Makes sure that open connections can go on in the beginning.
  func makeRoom(for connections: [Connection]) throws(CommandError) {
    // A connection without a certificate has no app of its own.
    for connection in connections where !connection.record.appKey.topic.isEmpty {
      guard apps.add(connection.record.appKey) != nil else { throw .tooManyApps(limit: apps.limit) }
    }
  }

  /// Gives its devices to a world that has nothing yet. False where that one has to make them itself: it matters when they
  /// were made, or who records.
  func move(to fresh: inout World) -> Bool {
    guard isMovable, setup.isOfSameScenario(as: fresh.setup), hasAllEvents || !fresh.feed.isRecording else {
      return false
    }
    isMovable = false
    // Where nobody else holds them, they are not copied when they change.
    apps = AppTable(limits: setup.configuration.limits)
    swap(&fresh.apps, &world.apps)
    swap(&fresh.devices, &world.devices)
    fresh.random = world.random
    fresh.devices.registerAll(at: fresh.now)
    fresh.history.take(&world.history, at: fresh.now)
    fresh.flushRecording()
    fresh.history.trimEvents()
    return true
  }
}
