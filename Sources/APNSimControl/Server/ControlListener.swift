import APNSimServer
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// A socket of the control API. As a service it accepts connections until it is to stop, and ends with the last of them.
struct ControlListener: Service {
  let host: String
  /// The port to listen on; 0 for any that is free.
  let port: Int
  let group: MultiThreadedEventLoopGroup
  let responder: ControlResponder
  /// Gets the port once it listens.
  let bound: EventLoopPromise<Int>

  private let idle = IdleConnections()

  func run() async throws {
    let socket = try await bind()
    let channel = socket.channel
    bound.succeed(channel.localAddress?.port ?? port)
    await withGracefulShutdownHandler {
      await withDiscardingTaskGroup { connections in
        // Open connections go on if no more can be accepted.
        try? await socket.executeThenClose { accepted in
          for try await connection in accepted {
            connections.addTask { await ControlConnection.serve(connection.take(), responder.respond) }
          }
        }
      }
    } onGracefulShutdown: {
      channel.close(promise: nil)
    }
  }

  private func bind() async throws -> NIOAsyncChannel<AcceptedConnection, Never> {
    try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(gate) }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .bind(host: host, port: port) { channel in
        channel.eventLoop.makeCompletedFuture { AcceptedConnection(try prepare(channel)) }
      }
  }

  private var gate: ControlGate {
    ControlGate(idle, limit: responder.services.limits.connections) { [services = responder.services] in
      services.main?.server.note($0)
    }
  }

  /// A connection is NIO's HTTP/1.1, with problems for malformed requests and the parts of the protocol that it omits.
  private func prepare(_ channel: any Channel) throws -> ControlConnection.Parts {
    let services = responder.services
    let recent = RecentBytesHandler()
    let decoder = HTTPRequestDecoder(limitConfiguration: ControlLimits.header)
    try channel.pipeline.syncOperations.addHandlers([
      HTTPResponseEncoder(), recent, ByteToMessageHandler(decoder),
      RequestPatienceHandler(services.limits, idle) { services.main?.server.noteLimit($0) },
      LastAnswerHandler(), ExpectationHandler(), MalformedRequestHandler(recent),
    ])
    return try NIOAsyncChannel(
      wrappingChannelSynchronously: channel,
      configuration: .init(isOutboundHalfClosureEnabled: true)
    )
  }
}
