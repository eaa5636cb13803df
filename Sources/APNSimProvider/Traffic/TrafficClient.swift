internal import APNSimCore
internal import APNSimScenario
internal import APNSimTLS
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// A provider of a script on the network: one TLS connection, what came back over it and how it ended.
final class TrafficClient: Sendable {
  struct State: Equatable {
    var isConnected = false
    var received: [UInt8] = []
    var ending = TrafficEnding.open
    var alert: UInt8?
  }

  private let channel: any Channel
  private let log: TrafficClientLog
  /// The port it comes from, by which the simulator knows it.
  let localPort: Int?

  private init(_ channel: any Channel, _ log: TrafficClientLog) {
    self.channel = channel
    // A channel that is closed has forgotten it.
    localPort = channel.localAddress?.port
    self.log = log
  }

  /// Connects; how the handshake ends is seen in the state.
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
final class TrafficClientLog: Sendable {
  let state = Mutex(TrafficClient.State())

  func note(_ change: (inout TrafficClient.State) -> Void) { state.withLock { change(&$0) } }
}
