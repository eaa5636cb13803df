internal import APNSimCore
internal import NIOCore

/// Brings what the simulator decides while time passes to the connections it is about.
final class ConnectionOutlet: EffectOutlet {
  private let table: ConnectionTable

  init(_ table: ConnectionTable) { self.table = table }

  func perform(_ action: GatewayAction, on connection: ConnectionID) {
    table.channel(connection)?.pipeline.fireUserInboundEventTriggered(ConnectionEvent.perform(action))
  }

  func deviceHasOutput(_ connection: ConnectionID) {
    table.channel(connection)?.pipeline.fireUserInboundEventTriggered(ConnectionEvent.sendLines)
  }
}
