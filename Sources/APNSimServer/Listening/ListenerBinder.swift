import APNSimCore
import APNSimTLS
import Logging
import NIOCore
import NIOPosix
import SystemPackage

/// Opens the listeners: every address of a service on one port, and a pipeline for each connection.
struct ListenerBinder: Sendable {
  let services: ConnectionServices
  let group: any EventLoopGroup
  /// True if connections wait in the kernel until ``open(_:)``.
  var isHeld = false

  /// A bound listener.
  struct Bound: Sendable {
    var plan: ListenerPlan
    var port: Int
    var channels: [any Channel]
  }

  /// An address to listen on; an optional one may be missing on this machine.
  private struct Address {
    var text: String
    var isOptional = false
  }

  /// The number of attempts to find a port that is free in both families of addresses.
  private static let attempts = 20
  private static let backlog: CInt = 1024

  func bind(_ plan: ListenerPlan) async throws -> Bound {
    let addresses = addresses
    var attempt = 1
    while true {
      var bound = Bound(plan: plan, port: plan.port, channels: [])
      do {
        for address in addresses { try await bind(address, &bound) }
        return bound
      } catch {
        for channel in bound.channels { try? await channel.close() }
        guard plan.port == 0, bound.port != 0, attempt < Self.attempts else { throw error }
        attempt += 1
      }
    }
  }

  /// Begins to accept connections.
  func open(_ bound: Bound) async throws {
    for channel in bound.channels { try await channel.setOption(.autoRead, value: true).get() }
  }

  private var addresses: [Address] {
    switch services.configuration.listening.host {
    case nil, "localhost": [Address(text: "127.0.0.1"), Address(text: "::1", isOptional: true)]
    case let host?: [Address(text: host)]
    }
  }

  private func bind(_ address: Address, _ bound: inout Bound) async throws {
    let plan = bound.plan
    do {
      let resolved = try SocketAddress.makeAddressResolvingHost(address.text, port: bound.port)
      let channel = try await bootstrap(plan).bind(to: resolved).get()
      bound.channels.append(channel)
      bound.port = channel.localAddress?.port ?? bound.port
    } catch {
      if address.isOptional, (error as? IOError)?.code.isAddressMissing == true {
        return services.log.say(.debug, "\(plan.name): this machine has no \(address.text)")
      }
      var asked = plan
      asked.port = bound.port
      throw ServerError.cannotBind(asked, address: address.text, error: error)
    }
  }

  private func bootstrap(_ plan: ListenerPlan) -> ServerBootstrap {
    let services = services
    let admission = ProviderAdmission(environment: plan.environment)
    return ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: Self.backlog)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.autoRead, value: !isHeld)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let gate = AcceptGate(services, plan)
          try channel.pipeline.syncOperations.addHandler(gate)
        }
      }
      .childChannelOption(.maxMessagesPerRead, value: 1)
      // A connection keeps the buffer of its first read, in which a ClientHello finds room; later ones grow with the reads.
      .childChannelOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 1024, maximum: Self.mostRead(plan))
      )
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try Self.assemble(channel, services, plan, admission)
        }
      }
  }

  /// The most bytes of one read. Requests cost so much more than frames that larger reads gain nothing, and a flood of
  /// one peer's holds up the others for less time.
  private static func mostRead(_ plan: ListenerPlan) -> Int { plan.listener == .http2 ? 16_384 : 32_768 }

  /// Assembles a connection's pipeline: coalescing of reads, TLS, the service.
  private static func assemble(
    _ channel: any Channel,
    _ services: ConnectionServices,
    _ plan: ListenerPlan,
    _ admission: ProviderAdmission
  ) throws {
    guard
      let loop = services.context(of: channel.eventLoop),
      let arrival = services.table.takeArrival(of: channel)
    else { throw ChannelError.inappropriateOperationForState }
    let entrance = Entrance(plan, arrival, admission, services.simulator)
    let context =
      switch plan.listener {
      case .gateway, .feedback: services.tls
      case .http2: services.requestTLS
      case .device: services.deviceTLS
      }
    let alternative = plan.channels.map { _ in
      TLSAlternative(services.requestTLS) { entrance.goOverToRequests() }
    }
    let tls = try TLSHandler(
      context,
      alternative: alternative,
      plaintext: loop.plaintext,
      helloPolicy: { entrance.refusalOfHello(askingFor: $0) },
      policy: { entrance.refusal(of: $0) }
    )
    let coalescer = ReadCoalescer(loop.readTicker)
    let peer = PeerChannel(
      services: services,
      entrance: entrance,
      successor: plan.channels == nil ? nil : RequestHandler.successor,
      tls: tls,
      loop: loop,
      coalescer: coalescer
    )
    let service: any ChannelHandler =
      switch plan.listener {
      case .gateway: GatewayHandler(peer)
      case .feedback: FeedbackHandler(peer)
      case .http2: RequestHandler(peer)
      case .device: DeviceHandler(peer)
      }
    try channel.pipeline.syncOperations.addHandlers([coalescer, tls, service])
    if arrival.acceptDelay > .zero {
      let delay = AcceptDelay(arrival.acceptDelay, services.timers, services.table)
      try channel.pipeline.syncOperations.addHandler(delay, position: .first)
    }
    if plan.listener == .device { try DeviceHandler.setOptions(of: channel) }
    if plan.listener == .feedback { try FeedbackHandler.setOptions(of: channel) }
  }
}
