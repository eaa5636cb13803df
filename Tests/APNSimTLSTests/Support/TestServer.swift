import APNSimTLS
import NIOCore
import NIOPosix

/// A TLS listener on a free port of the loopback; its connections come out of ``accept()`` in order.
final class TestServer: Sendable {
  let port: Int
  private let listener: any Channel
  private let accepted: AsyncStream<Peer>

  static func start(
    _ context: TLSContext,
    echoes: Bool = true,
    policy: (@Sendable (PeerCertificate) -> TLSRefusal?)? = nil
  ) async throws -> TestServer {
    let (accepted, report) = AsyncStream.makeStream(of: Peer.self)
    let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let (stream, observe) = AsyncStream.makeStream(of: Observation.self)
          let tls = try TLSHandler(context, policy: policy)
          try channel.pipeline.syncOperations.addHandlers(
            tls,
            Recorder(tls: tls, echoes: echoes, report: observe)
          )
          report.yield(Peer(channel, stream))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return try TestServer(listener, accepted)
  }

  private init(_ listener: any Channel, _ accepted: AsyncStream<Peer>) throws {
    guard let port = listener.localAddress?.port else { throw UnexpectedObservation() }
    self.port = port
    self.listener = listener
    self.accepted = accepted
  }

  deinit { listener.close(promise: nil) }

  func accept() async throws -> Peer {
    for await peer in accepted { return peer }
    throw UnexpectedObservation()
  }

  /// A client of this server; without a context it speaks plain TCP.
  func connect(_ context: TLSContext?, echoes: Bool = false, serverName: String? = nil) async throws -> Peer {
    let (stream, observe) = AsyncStream.makeStream(of: Observation.self)
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          var tls: TLSHandler?
          if let context {
            let handler = try TLSHandler(context, serverName: serverName)
            try channel.pipeline.syncOperations.addHandler(handler)
            tls = handler
          }
          try channel.pipeline.syncOperations.addHandler(
            Recorder(tls: tls, echoes: echoes, report: observe)
          )
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    return Peer(channel, stream)
  }
}
