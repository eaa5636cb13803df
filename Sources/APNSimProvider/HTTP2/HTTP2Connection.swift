import APNSimTLS
package import NIOCore
import NIOHTTP2
import NIOPosix

/// One connection of a provider to the HTTP/2 provider API.
package struct HTTP2Connection: Sendable {
  private let target: ProviderTarget
  private let channel: any Channel
  private let handler: NIOLoopBound<RequestConnectionHandler>
  /// The negotiated TLS version, such as `1.3`.
  package let version: String

  /// A channel on its way to be a connection.
  private struct Opening<Handler>: Sendable {
    let channel: any Channel
    let handler: NIOLoopBound<Handler>
    let handshake: EventLoopFuture<String>
  }

  /// Connects and completes the handshake.
  /// - Throws: `ProviderFailure` for a server that cannot be reached or refuses us; `TLSSetupError` for bad files.
  package static func open(_ target: ProviderTarget, timeout: TimeAmount) async throws -> HTTP2Connection {
    let opened = try await connect(target, timeout: timeout) {
      try addRequestHandlers(to: $0, authority: target.address)
    }
    return HTTP2Connection(
      target: target,
      channel: opened.channel,
      handler: opened.handler,
      version: opened.version
    )
  }

  /// Connects with TLS for HTTP/2, and completes the handshake.
  /// - Parameter add: adds what speaks HTTP/2 to the channel.
  /// - Throws: as ``open(_:timeout:)`` does.
  static func connect<Handler>(
    _ target: ProviderTarget,
    timeout: TimeAmount,
    _ add: @escaping @Sendable (any Channel) throws -> Handler
  ) async throws -> (channel: any Channel, handler: NIOLoopBound<Handler>, version: String) {
    var options = target.tls(timeout: timeout)
    options.minimum = .v1_2
    options.applicationProtocols = ["h2"]
    let context = try TLSContext(client: options)
    let opening: Opening<Handler>
    do {
      opening = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(timeout)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .connect(host: target.host, port: target.port) { channel in
          channel.eventLoop.makeCompletedFuture {
            let handshake = try addHandshake(to: channel, target, context)
            let handler = NIOLoopBound(try add(channel), eventLoop: channel.eventLoop)
            return Opening(channel: channel, handler: handler, handshake: handshake)
          }
        }
    } catch {
      throw ProviderFailure(error, connectingTo: target)
    }
    do {
      return (opening.channel, opening.handler, try await opening.handshake.get())
    } catch {
      try? await opening.channel.close()
      throw ProviderFailure(error, connectingTo: target, isRefusal: true)
    }
  }

  private static func addHandshake(
    to channel: any Channel,
    _ target: ProviderTarget,
    _ context: TLSContext
  ) throws -> EventLoopFuture<String> {
    let tls = try TLSHandler(context, serverName: target.serverName)
    let handshake = channel.eventLoop.makePromise(of: String.self)
    try channel.pipeline.syncOperations.addHandlers([tls, HandshakeHandler(tls: tls, promise: handshake)])
    return handshake.futureResult
  }

  /// Adds HTTP/2 and what pushes over it.
  static func addRequestHandlers(
    to channel: any Channel,
    authority: String
  ) throws -> RequestConnectionHandler {
    let pipeline = channel.pipeline.syncOperations
    let multiplexer = try pipeline.addHTTP2()
    let handler = RequestConnectionHandler(channel: channel, authority: authority)
    handler.use(multiplexer)
    try pipeline.addHandler(handler)
    return handler
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
