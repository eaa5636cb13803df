import APNSimTLS
package import NIOCore
import NIOHTTP2
import NIOPosix

/// One connection of a provider to the HTTP/2 provider API.
package struct RequestConnection: Sendable {
  private let target: ProviderTarget
  private let channel: any Channel
  private let handler: NIOLoopBound<RequestConnectionHandler>
  /// The negotiated TLS version, such as `1.3`.
  package let version: String

  private struct Opening: Sendable {
    let channel: any Channel
    let handler: NIOLoopBound<RequestConnectionHandler>
    let handshake: EventLoopFuture<String>
  }

  /// Connects and completes the handshake.
  /// - Throws: `ProviderFailure` for a server that cannot be reached or refuses us; `TLSSetupError` for bad files.
  package static func open(_ target: ProviderTarget, timeout: TimeAmount) async throws -> RequestConnection {
    var options = target.tls(timeout: timeout)
    options.minimum = .v1_2
    options.applicationProtocols = ["h2"]
    let context = try TLSContext(client: options)
    let opening: Opening
    do {
      opening = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(timeout)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .connect(host: target.host, port: target.port) { channel in
          channel.eventLoop.makeCompletedFuture { try initialise(channel, target, context) }
        }
    } catch {
      throw ProviderFailure(error, connectingTo: target)
    }
    do {
      return RequestConnection(
        target: target,
        channel: opening.channel,
        handler: opening.handler,
        version: try await opening.handshake.get()
      )
    } catch {
      try? await opening.channel.close()
      throw ProviderFailure(error, connectingTo: target, isRefusal: true)
    }
  }

  private static func initialise(
    _ channel: any Channel,
    _ target: ProviderTarget,
    _ context: TLSContext
  ) throws -> Opening {
    let tls = try TLSHandler(context, serverName: target.serverName)
    let handshake = channel.eventLoop.makePromise(of: String.self)
    try channel.pipeline.syncOperations.addHandlers([tls, HandshakeHandler(tls: tls, promise: handshake)])
    let handler = try addRequestHandlers(to: channel, authority: target.address)
    return Opening(channel: channel, handler: handler, handshake: handshake.futureResult)
  }

  /// Adds HTTP/2 and what pushes over it.
  static func addRequestHandlers(
    to channel: any Channel,
    authority: String
  ) throws -> NIOLoopBound<RequestConnectionHandler> {
    let pipeline = channel.pipeline.syncOperations
    let multiplexer = try pipeline.configureHTTP2Pipeline(
      mode: .client,
      connectionConfiguration: .init(),
      streamConfiguration: .init(),
      inboundStreamInitializer: { $0.close() }
    )
    let handler = RequestConnectionHandler(channel: channel, authority: authority)
    handler.use(multiplexer)
    try pipeline.addHandler(handler)
    return NIOLoopBound(handler, eventLoop: channel.eventLoop)
  }

  func run(_ exchange: RequestExchange) async throws -> RequestReport {
    let handler = handler
    let report = try await channel.eventLoop.flatSubmit { handler.value.run(exchange) }.get()
    try? await channel.close()
    if let error = report.failure as? TLSError, report.groups.allSatisfy({ !$0.isAnswered }) {
      throw ProviderFailure(error, connectingTo: target, isRefusal: true)
    }
    return report
  }
}
