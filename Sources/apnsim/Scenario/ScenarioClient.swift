import APNSimCore
import APNSimScenario
import APNSimTLS
import NIOCore
import NIOPosix
import Synchronization

/// A provider of a script on the network: one TLS connection, what came back over it and how it ended.
final class ScenarioClient: Sendable {
  struct State: Equatable {
    var isConnected = false
    var received: [UInt8] = []
    var ending = TrafficEnding.open
    var alert: UInt8?
  }

  private let channel: any Channel
  private let log: ScenarioClientLog
  /// The port it comes from, by which the simulator knows it.
  let localPort: Int?

  private init(_ channel: any Channel, _ log: ScenarioClientLog) {
    self.channel = channel
    // A channel that is closed has forgotten it.
    localPort = channel.localAddress?.port
    self.log = log
  }

  /// Connects; how the handshake ends is seen in the state.
  static func connect(to host: String, port: Int, _ context: TLSContext) async throws -> ScenarioClient {
    let log = ScenarioClientLog()
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            try TLSHandler(context), ScenarioClientHandler(log),
          ])
        }
      }
      .connect(host: host, port: port).get()
    return ScenarioClient(channel, log)
  }

  var state: State { log.state.withLock { $0 } }

  /// What the simulator knows of it, among views by the ports that it saw.
  func view(in views: [Int: ConnectionView]) -> ConnectionView? { localPort.flatMap { views[$0] } }

  /// Each piece as a TLS record of its own. A connection that is gone takes nothing, which its state says.
  func send(_ pieces: some Sequence<ArraySlice<UInt8>>) {
    for piece in pieces { channel.write(ByteBuffer(bytes: piece), promise: nil) }
    channel.flush()
  }

  /// close_notify and FIN.
  func finish() { channel.close(mode: .output, promise: nil) }

  /// Goes without a word.
  func drop() async {
    try? await channel.triggerUserOutboundEvent(TLSCommand.omitCloseNotify).get()
    log.note { $0.ending = .reset }
    try? await channel.close()
  }

  func close() async { try? await channel.close() }
}

/// What a client's handler tells.
final class ScenarioClientLog: Sendable {
  let state = Mutex(ScenarioClient.State())

  func note(_ change: (inout ScenarioClient.State) -> Void) { state.withLock { change(&$0) } }
}
