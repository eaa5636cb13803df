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
    var isDraining = false
    /// Connections accepted so far.
    var accepted = 0
    /// Called once when a connection has made room.
    var roomWaiters: [@Sendable () -> Void] = []
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
    state.withLock { $0.identified[id] = channel }
  }

  func forget(_ id: ConnectionID) { state.withLock { _ = $0.identified.removeValue(forKey: id) } }

  func channel(_ id: ConnectionID) -> (any Channel)? { state.withLock { $0.identified[id] } }

  var all: [any Channel] { state.withLock { Array($0.channels.values) } }

  /// Calls back once as soon as another connection has closed.
  func whenRoom(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.roomWaiters.append(body) }
  }

  /// Tells every connection to finish, and the promise when all have.
  func drain(_ done: EventLoopPromise<Void>) {
    let channels = state.withLock { state in
      state.isDraining = true
      return Array(state.channels.values)
    }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ConnectionEvent.drain) }
    whenEmpty(done)
  }

  func whenEmpty(_ done: EventLoopPromise<Void>) {
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
      defer { state.roomWaiters = [] }
      guard state.channels.isEmpty else { return (state.roomWaiters, [EventLoopPromise<Void>]()) }
      defer { state.emptyPromises = [] }
      return (state.roomWaiters, state.emptyPromises)
    }
    for waiter in waiters { waiter() }
    for promise in promises { promise.succeed() }
  }
}
