import APNSimCore

/// The connections of a replay that are open, by their numbers in the capture and in the replay.
final class ReplayConnections {
  private var known: [ConnectionID: ReplayConnection] = [:]
  /// The capture's numbers by the replay's, for actions that are due later.
  private(set) var names: [ConnectionID: ConnectionID] = [:]
  /// Connections that appear in the capture without their beginning.
  private var unbegun = ConnectionNumbers()
  /// The rules' verdict on the certificate that was judged last, by listener.
  private var judgements: [Listener: (ordinal: UInt32, isRefused: Bool)] = [:]
  private let outlet = ReplayOutlet()

  /// The number of connections that are open.
  var count: Int { known.count }

  @inline(__always)
  subscript(name: ConnectionID) -> ReplayConnection? { known[name] }

  /// The open connections in the order of their numbers.
  var sorted: [ReplayConnection] { known.values.sorted { $0.name < $1.name } }

  func add(_ connection: ReplayConnection) {
    known[connection.name] = connection
    if let id = connection.id { names[id] = connection.name }
  }

  func remove(_ name: ConnectionID) -> ReplayConnection? {
    guard let connection = known.removeValue(forKey: name) else { return nil }
    if connection.id == name { names[name] = nil }
    return connection
  }

  /// Takes a connection out of the actions that are due later, because another one goes on in its place.
  func silence(_ id: ConnectionID) { names[id] = nil }

  /// Keeps the number of a connection that the capture does not begin.
  /// - Returns: false where it is known already.
  func noteUnbegun(_ name: ConnectionID) -> Bool {
    guard !unbegun.contains(name) else { return false }
    unbegun.insert(name)
    return true
  }

  /// True for a connection of which nothing has been seen so far.
  func isNew(_ name: ConnectionID) -> Bool { known[name] == nil && !unbegun.contains(name) }

  func judge(_ ordinal: UInt32, of listener: Listener, isRefused: Bool) {
    judgements[listener] = (ordinal, isRefused)
  }

  /// The verdict on the certificate of that connection; nil where another one was judged last, or none.
  func isRefused(_ ordinal: UInt32, of listener: Listener) -> Bool? {
    judgements[listener].flatMap { $0.ordinal == ordinal ? $0.isRefused : nil }
  }

  /// Has the simulator's later actions gathered here.
  func join(_ simulator: Simulator) { simulator.setOutlet(outlet) }

  /// Takes delayed answers that were released by the last input.
  @inline(__always)
  func deliverDue(at time: Timestamp) {
    for (id, actions) in outlet.takeAnswers() { named(id)?.addReplayed(actions) }
    for (id, action) in outlet.take() { named(id)?.addReplayed(action, at: time) }
  }

  private func named(_ id: ConnectionID) -> ReplayConnection? { names[id].flatMap { known[$0] } }
}
