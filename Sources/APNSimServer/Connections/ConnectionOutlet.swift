internal import APNSimCore
internal import NIOCore

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
