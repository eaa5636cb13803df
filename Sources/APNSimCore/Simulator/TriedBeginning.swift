/// A beginning that has been tried: a world was made from it, without the simulator's lock, and its devices, rules and
/// tuples found their places.
final class TriedBeginning {
  /// The apps that the beginning has, and whom there is room for besides.
  private var apps: AppTable

  /// - Throws: why it cannot be.
  init(_ setup: Setup, wall: Timestamp) throws(CommandError) {
    var world = World(setup, wall: wall, history: History(limits: setup.configuration.limits))
    try world.populate()
    apps = world.apps
  }

  /// Makes sure that open connections can go on in the beginning.
  func makeRoom(for connections: [Connection]) throws(CommandError) {
    // A connection without a certificate has no app of its own.
    for connection in connections where !connection.record.appKey.topic.isEmpty {
      guard apps.add(connection.record.appKey) != nil else { throw .tooManyApps(limit: apps.limit) }
    }
  }
}
