import APNSimCore
import APNSimWire
import Testing

/// A provider that talks to a simulator without a network, the way a listener would.
final class CoreProvider: EffectOutlet, @unchecked Sendable {
  let simulator: Simulator
  let connection: GatewayConnection
  private(set) var reply: [UInt8] = []
  private(set) var ending = ConnectionEnding.none
  var now: Timestamp

  init(
    _ simulator: Simulator,
    topic: String = GatewayVectorTopic,
    environment: PushEnvironment = .production,
    at now: Timestamp = Moment.start
  ) throws {
    self.simulator = simulator
    self.now = now
    let provider = ProviderIdentity(topics: [topic], environment: environment, subject: "UID=\(topic)")
    let opening = ConnectionOpening(peer: "127.0.0.1:1", provider: provider)
    connection = try simulator.openGateway(opening, at: now)
    simulator.setOutlet(self)
  }

  func send(_ bytes: some Sequence<UInt8>) {
    let action = Array(bytes).withUnsafeBytes { connection.receive($0, at: now) }
    take(action)
  }

  func shutdown() { take(connection.shutdown(at: now)) }

  func end() { take(connection.inputEnded(at: now)) }

  func perform(_ action: GatewayAction, on connection: ConnectionID) {
    if connection == self.connection.id { take(action) }
  }

  func close() { connection.closed(.peerClosed, at: now) }

  private func take(_ action: GatewayAction) {
    reply += action.records.flatMap { $0 }
    if action.ending != .none { ending = action.ending }
  }
}

let GatewayVectorTopic = "com.example.sim"

enum Moment {
  /// 2012-06-01T00:00:00Z
  static let start = Timestamp(seconds: 1_338_508_800)
}
