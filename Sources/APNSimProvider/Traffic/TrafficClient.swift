import APNSimCore
import APNSimScenario
import APNSimTLS
import NIOCore
import NIOPosix
import Synchronization

/// A provider of a script on the network: one TLS connection, its received bytes and its end.
final class TrafficClient: Sendable {
  struct State: Equatable {
    var isConnected = false
    var received: [UInt8] = []
    var ending = TrafficEnding.open
    var alert: UInt8?
  }

  private let channel: any Channel
  private let log: TrafficClientLog
  /// The local port, by which the simulator's view is found.
  let localPort: Int?

  private init(_ channel: any Channel, _ log: TrafficClientLog) {
    self.channel = channel
    // A closed channel has no addresses any more.
    localPort = channel.localAddress?.port
    self.log = log
  }

  /// Connects, and has the channel record how the handshake ends.
  static func connect(to host: String, port: Int, _ context: TLSContext) async throws -> TrafficClient {
    let log = TrafficClientLog()
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            try TLSHandler(context), TrafficClientHandler(log),
          ])
        }
      }
      .connect(host: host, port: port).get()
    return TrafficClient(channel, log)
  }

  var state: State { log.state.withLock { $0 } }

  /// The simulator's view of it, among views by the provider's port.
  func view(in views: [Int: ConnectionView]) -> ConnectionView? { localPort.flatMap { views[$0] } }

  /// Sends each piece as a TLS record of its own. A closed connection ignores them; its state tells of the end.
  func send(_ pieces: some Sequence<ArraySlice<UInt8>>) {
    for piece in pieces { channel.write(ByteBuffer(bytes: piece), promise: nil) }
    channel.flush()
  }

  /// Sends close_notify and FIN.
  func finish() { channel.close(mode: .output, promise: nil) }

  /// Closes the connection without close_notify.
  func drop() async {
    try? await channel.triggerUserOutboundEvent(TLSCommand.omitCloseNotify).get()
    log.note { $0.ending = .reset }
    try? await channel.close()
  }

  func close() async { try? await channel.close() }
}

/// The state that a client's handler records.
final class TrafficClientLog: Sendable {
  let state = Mutex(TrafficClient.State())

  func note(_ change: (inout TrafficClient.State) -> Void) { state.withLock { change(&$0) } }
}
