internal import APNSimCore
internal import NIOCore
internal import Synchronization

/// Every connection that was accepted and is not closed yet, of all listeners.
///
/// It is how the number of connections is bounded, how an operator reaches one of them, and how a shutdown knows
/// when all are done.
final class ConnectionTable: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// How they came in, until their pipelines are put together.
    var arrivals: [ObjectIdentifier: Arrival] = [:]
    var identified: [ConnectionID: any Channel] = [:]
    /// The above in the order in which they are asked to make way: first those that have been here longest, and who
    /// was asked last comes last. Some of them may be gone.
    var turns: CircularBuffer<ConnectionID> = []
    /// Events for connections that the simulator knows and that have not been identified yet, oldest first.
    var early: [(id: ConnectionID, event: ConnectionEvent)] = []
    var isDraining = false
    /// Connections accepted so far.
    var accepted = 0
    /// Called once when a connection has made room, by who waits.
    var roomWaiters: [ObjectIdentifier: @Sendable () -> Void] = [:]
    /// Completed when the last connection is gone.
    var emptyPromises: [EventLoopPromise<Void>] = []
  }

  let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  var count: Int { state.withLock { $0.channels.count } }
  var isFull: Bool { count >= limit }
  var accepted: Int { state.withLock { $0.accepted } }
  var isDraining: Bool { state.withLock { $0.isDraining } }

  /// Remembers a connection until it closes.
  func enter(_ channel: any Channel, _ arrival: Arrival) {
    let isDraining = state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = channel
      state.arrivals[ObjectIdentifier(channel)] = arrival
      state.accepted += 1
      return state.isDraining
    }
    channel.closeFuture.whenComplete { _ in self.leave(channel) }
    if isDraining { channel.close(promise: nil) }
  }

  /// How a connection came in; asked once, when its pipeline is put together.
  func takeArrival(of channel: any Channel) -> Arrival? {
    state.withLock { $0.arrivals.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  /// Gives a connection the number by which people know it.
  func identify(_ channel: any Channel, as id: ConnectionID) {
    let early = state.withLock { state in
      state.identified[id] = channel
      state.turns.append(id)
      if state.turns.count > 2 * state.identified.count + 64 {
        state.turns.removeAll { state.identified[$0] == nil }
      }
      guard !state.early.isEmpty else { return [ConnectionEvent]() }
      defer { state.early.removeAll { $0.id == id } }
      return state.early.filter { $0.id == id }.map(\.event)
    }
    for event in early {
      channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(event) }
    }
  }

  func forget(_ id: ConnectionID) {
    state.withLock { state in
      state.identified[id] = nil
      if !state.early.isEmpty { state.early.removeAll { $0.id == id } }
    }
  }

  /// Hands an event to a connection; to one that has just been opened as soon as it has its number here.
  ///
  /// Whoever reads of a connection in the journal may ask something of it before its own loop has come so far.
  func send(_ event: ConnectionEvent, to id: ConnectionID) {
    let channel: (any Channel)? = state.withLock { state in
      if let channel = state.identified[id] { return channel }
      // What is for a connection that is gone finds nobody, and makes room in its time.
      if state.early.count >= Self.earlyLimit { state.early.removeFirst() }
      state.early.append((id, event))
      return nil
    }
    channel?.pipeline.fireUserInboundEventTriggered(event)
  }

  private static let earlyLimit = 256

  var all: [any Channel] { state.withLock { Array($0.channels.values) } }

  /// Asks so many connections, as far as there are so many, whether one of them can make way for another.
  func askToMakeWay(_ count: Int) -> RoomRequest {
    let asked = state.withLock { state in
      var asked: [any Channel] = []
      for _ in 0..<state.turns.count where asked.count < count {
        guard let id = state.turns.popFirst(), let channel = state.identified[id] else { continue }
        state.turns.append(id)
        asked.append(channel)
      }
      return asked
    }
    let request = RoomRequest(of: asked.count)
    for channel in asked { channel.pipeline.fireUserInboundEventTriggered(ConnectionEvent.makeWay(request)) }
    return request
  }

  /// Calls back once as soon as another connection has closed, however often the same one asks.
  func whenRoom(for waiter: AnyObject, _ body: @escaping @Sendable () -> Void) {
    let waiter = ObjectIdentifier(waiter)
    state.withLock { $0.roomWaiters[waiter] = body }
  }

  /// Tells every connection to finish, and the promise when all have.
  func drain(_ done: EventLoopPromise<Void>) {
    let channels = state.withLock { state in
      state.isDraining = true
      return Array(state.channels.values)
    }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ConnectionEvent.drain) }
    let isEmpty = state.withLock { state in
      if !state.channels.isEmpty { state.emptyPromises.append(done) }
      return state.channels.isEmpty
    }
    if isEmpty { done.succeed() }
  }

  private func leave(_ channel: any Channel) {
    let (waiters, promises) = state.withLock { state in
      state.channels[ObjectIdentifier(channel)] = nil
      state.arrivals[ObjectIdentifier(channel)] = nil
      let waiters = Array(state.roomWaiters.values)
      state.roomWaiters = [:]
      guard state.channels.isEmpty else { return (waiters, [EventLoopPromise<Void>]()) }
      defer { state.emptyPromises = [] }
      return (waiters, state.emptyPromises)
    }
    for waiter in waiters { waiter() }
    for promise in promises { promise.succeed() }
  }
}

/// How a TCP connection came in, before anything is known of its provider.
struct Arrival: Hashable, Sendable {
  /// Its place among the connections of its listener, from 1, in the order they were accepted.
  var ordinal: UInt32
  /// How long its handshake is to wait, in simulated time.
  var acceptDelay: TimeSpan
}

/// Brings what the simulator decides while time passes to the connections it is about.
final class ConnectionOutlet: EffectOutlet {
  private let table: ConnectionTable
  private let timers: SimulatedTimers

  init(_ table: ConnectionTable, _ timers: SimulatedTimers) {
    self.table = table
    self.timers = timers
  }

  func perform(_ action: GatewayAction, on connection: ConnectionID) {
    table.send(.perform(action), to: connection)
  }

  func end(_ connection: ConnectionID, _ how: ConnectionEnding) {
    table.send(.end(how), to: connection)
  }

  func remind(_ reminder: Reminder) { timers.fire(reminder) }

  func deviceHasOutput(_ connection: ConnectionID) {
    table.send(.sendLines, to: connection)
  }
}
