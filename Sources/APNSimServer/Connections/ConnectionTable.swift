import APNSimCore
import NIOCore
import Synchronization

/// Every connection that was accepted and is not closed yet, of all listeners.
///
/// It bounds the number of connections, delivers events to one of them, and tells a shutdown when all are done.
final class ConnectionTable: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// The arrivals of connections, until their pipelines are assembled.
    var arrivals: [ObjectIdentifier: Arrival] = [:]
    var identified: [ConnectionID: any Channel] = [:]
    /// The identified connections in the order in which they are asked to make way: the oldest first, those that were
    /// asked last at the end. Some of them may be closed.
    var turns: CircularBuffer<ConnectionID> = []
    /// The events for connections that the simulator knows and that are not identified here yet, oldest first.
    var early: [(id: ConnectionID, event: ConnectionEvent)] = []
    var isDraining = false
    /// The number of connections accepted so far.
    var accepted = 0
    /// The callbacks for when a connection has closed, by the object that waits.
    var roomWaiters: [ObjectIdentifier: @Sendable () -> Void] = [:]
    /// The promises to complete when the last connection has closed.
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

  /// Takes the arrival of a connection, once, when its pipeline is assembled.
  func takeArrival(of channel: any Channel) -> Arrival? {
    state.withLock { $0.arrivals.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  /// Assigns a connection its number in the simulator, and delivers the events that waited for it.
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

  /// Sends an event to a connection, or keeps it until a connection that has just been opened is identified.
  ///
  /// A reader of the journal may send an event to a connection before the connection's own loop has identified it.
  func send(_ event: ConnectionEvent, to id: ConnectionID) {
    let channel: (any Channel)? = state.withLock { state in
      if let channel = state.identified[id] { return channel }
      // An event for a closed connection is kept too, until newer ones displace it.
      if state.early.count >= Self.earlyLimit { state.early.removeFirst() }
      state.early.append((id, event))
      return nil
    }
    channel?.pipeline.fireUserInboundEventTriggered(event)
  }

  private static let earlyLimit = 256

  var all: [any Channel] { state.withLock { Array($0.channels.values) } }

  /// Asks up to `count` connections whether one of them can make way for another.
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

  /// Calls back once as soon as another connection has closed; a further call by the same waiter replaces the
  /// callback.
  func whenRoom(for waiter: AnyObject, _ body: @escaping @Sendable () -> Void) {
    let waiter = ObjectIdentifier(waiter)
    state.withLock { $0.roomWaiters[waiter] = body }
  }

  /// Tells every connection to finish, and completes the promise when all have closed.
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

/// The arrival of a TCP connection, before anything is known of its provider.
struct Arrival: Hashable, Sendable {
  /// The ordinal among the connections of its listener, from 1, in the order in which they were accepted.
  var ordinal: UInt32
  /// The simulated time by which its handshake is delayed.
  var acceptDelay: TimeSpan
}

/// Delivers the simulator's effects, decided as time passes, to the connections.
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

  func perform(_ actions: RequestActions, on connection: ConnectionID) {
    table.send(.answer(actions), to: connection)
  }

  func end(_ connection: ConnectionID, _ how: KillMode) {
    table.send(.end(how), to: connection)
  }

  func remind(_ reminder: Reminder) { timers.fire(reminder) }

  func deviceHasOutput(_ connection: ConnectionID) {
    table.send(.sendLines, to: connection)
  }
}
