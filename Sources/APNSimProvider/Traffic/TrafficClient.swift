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
    /// The answers to requests, in the order in which they came.
    var answers: [String] = []
    /// The number of requests that wait for their answers.
    var unanswered = 0
    var ending = TrafficEnding.open
    var alert: UInt8?
  }

  private let channel: any Channel
  private let log: TrafficClientLog
  /// Of a connection of requests.
  private let requests: NIOLoopBound<TrafficRequestHandler>?
  /// The local port, by which the simulator's view is found.
  let localPort: Int?

  private init(
    _ channel: any Channel,
    _ log: TrafficClientLog,
    _ requests: NIOLoopBound<TrafficRequestHandler>?
  ) {
    self.channel = channel
    // A closed channel has no addresses any more.
    localPort = channel.localAddress?.port
    (self.log, self.requests) = (log, requests)
  }

  /// Connects, and has the channel record how the handshake ends.
  /// - Parameter pushes: true for a connection of requests over HTTP/2.
  static func connect(
    to host: String,
    port: Int,
    _ context: TLSContext,
    pushes: Bool
  ) async throws -> TrafficClient {
    let log = TrafficClientLog()
    typealias Opening = (any Channel, NIOLoopBound<TrafficRequestHandler>?)
    let (channel, requests): Opening = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .connect(host: host, port: port) { channel in
        channel.eventLoop.makeCompletedFuture { () throws -> Opening in
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(TLSHandler(context))
          guard pushes else {
            try pipeline.addHandler(TrafficClientHandler(log))
            return (channel, nil)
          }
          let handler = try TrafficRequestHandler.add(to: channel, log, authority: "\(host):\(port)")
          return (channel, NIOLoopBound(handler, eventLoop: channel.eventLoop))
        }
      }
    return TrafficClient(channel, log, requests)
  }

  var state: State { log.state.withLock { $0 } }

  /// The simulator's view of it, among views by the provider's port.
  func view(in views: [Int: ConnectionView]) -> ConnectionView? { localPort.flatMap { views[$0] } }

  /// Sends each piece as a TLS record of its own. A closed connection ignores them; its state tells of the end.
  func send(_ pieces: some Sequence<ArraySlice<UInt8>>) {
    for piece in pieces { channel.write(ByteBuffer(bytes: piece), promise: nil) }
    channel.flush()
  }

  /// Pushes requests, as soon as the server has room for them. A closed connection ignores them.
  func push(_ pushed: [PushRequest]) {
    guard let requests, !pushed.isEmpty else { return }
    log.note { $0.unanswered += pushed.count }
    channel.eventLoop.execute { requests.value.push(pushed) }
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
