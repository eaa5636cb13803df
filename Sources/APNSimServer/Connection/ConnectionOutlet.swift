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
    table.channel(connection)?.pipeline.fireUserInboundEventTriggered(ConnectionEvent.perform(action))
  }

  func end(_ connection: ConnectionID, _ how: ConnectionEnding) {
    table.channel(connection)?.pipeline.fireUserInboundEventTriggered(ConnectionEvent.end(how))
  }

  func remind(_ reminder: Reminder) { timers.fire(reminder) }

  func deviceHasOutput(_ connection: ConnectionID) {
    table.channel(connection)?.pipeline.fireUserInboundEventTriggered(ConnectionEvent.sendLines)
  }
}
