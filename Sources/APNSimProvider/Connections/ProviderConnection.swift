import APNSimTLS
package import NIOCore
import NIOPosix
import NIOTLS

/// One connection of a provider to a gateway or feedback service, over TLS.
package struct ProviderConnection: Sendable {
  let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
  /// The negotiated TLS version, such as `1.2`.
  package let version: String

  /// Connects and completes the handshake.
  /// - Throws: `ProviderFailure` for a server that cannot be reached or refuses us; `TLSSetupError` for bad files.
  package static func open(_ target: ProviderTarget, timeout: TimeAmount) async throws -> ProviderConnection {
    let context = try TLSContext(client: target.tls(timeout: timeout))
    let serverName = target.serverName
    let connected: (channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>, handshake: EventLoopFuture<String>)
    do {
      connected = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(timeout)
        .channelOption(.allowRemoteHalfClosure, value: true)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .connect(host: target.host, port: target.port) { channel in
          channel.eventLoop.makeCompletedFuture {
            let tls = try TLSHandler(context, serverName: serverName)
            let handshake = channel.eventLoop.makePromise(of: String.self)
            try channel.pipeline.syncOperations.addHandlers([
              tls, HandshakeHandler(tls: tls, promise: handshake),
            ])
            let stream = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
              wrappingChannelSynchronously: channel,
              configuration: .init(isOutboundHalfClosureEnabled: true)
            )
            return (stream, handshake.futureResult)
          }
        }
    } catch {
      throw ProviderFailure(error, connectingTo: target)
    }
    do {
      return ProviderConnection(channel: connected.channel, version: try await connected.handshake.get())
    } catch {
      try? await connected.channel.channel.close()
      throw ProviderFailure(error, connectingTo: target, isRefusal: true)
    }
  }
}

extension TimeAmount {
  /// The longest wait for a connection and its handshake: that for an answer, and ten seconds at least.
  package static func opening(_ patience: Duration) -> TimeAmount {
    .seconds(min(max(patience.components.seconds, 10), 1 << 30))
  }
}
