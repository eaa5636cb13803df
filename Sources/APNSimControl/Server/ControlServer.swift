package import APNSimServer
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import Synchronization

/// The control API beside a running simulator: HTTP on a port of its own.
///
/// It has an event loop of its own, and answers are made on the threads of Swift's concurrency: the gateway's loops
/// never do its work.
package final class ControlServer: ServerCompanion {
  private let configuration: APNSimServer.ServerConfiguration
  private let state = Mutex(State())
  package static let table = RouteTable(Resources.all)

  let limits: ControlLimits
  let redaction: CaptureRedaction
  let sandboxes: Sandboxes
  let streams: OpenCount
  let waits: OpenCount

  /// The loop of every control API of the process. It is never shut down: what Hummingbird still has to let go of
  /// after its server has ended would find a loop that is gone, which ends the process.
  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  private struct State {
    var main: Space?
    var url: String?
    var services: [(group: ServiceGroup, task: Task<Void, Never>)] = []
  }

  /// How long requests may take to end when the simulator stops.
  private static let drain = Duration.seconds(1)

  package init(
    _ configuration: APNSimServer.ServerConfiguration,
    redaction: CaptureRedaction,
    limits: ControlLimits = ControlLimits()
  ) {
    self.configuration = configuration
    self.redaction = redaction
    self.limits = limits
    sandboxes = Sandboxes(most: limits.sandboxes)
    streams = OpenCount(of: "streams", most: limits.streams)
    waits = OpenCount(of: "waits", most: limits.waits)
  }

  /// The simulator that a path means.
  /// - Throws: `Problem` 404.
  func space(_ sandbox: String?) throws(Problem) -> Space {
    if let sandbox {
      guard let space = sandboxes[sandbox] else { throw .notFound("sandbox", sandbox) }
      return space
    }
    guard let main = state.withLock({ $0.main }) else {
      throw Problem(.serviceUnavailable, title: "Not ready", detail: "the simulator is starting")
    }
    return main
  }

  /// Where the main simulator listens; nil until it does.
  var endpoints: Endpoints? { state.withLock { $0.main }?.server.endpoints }

  /// What is not ready yet, or not any more.
  var missing: [String] { state.withLock { $0.main }?.server.missing ?? ["simulator"] }

  /// Streams of events that are open.
  package var openStreams: Int { streams.open }

  /// Its base URL, once it has a port.
  var url: String? { state.withLock { $0.url } }

  package func start(beside server: SimulatorServer) async throws -> String {
    let group = Self.group
    state.withLock { state in
      state.main = Space(server: server)
    }
    let url = try await listen(group)
    state.withLock { $0.url = url }
    return url
  }

  private func listen(_ group: MultiThreadedEventLoopGroup) async throws -> String {
    let wanted = configuration.listening.ephemeral ? 0 : configuration.control.port
    if let host = configuration.listening.host, host != "localhost" {
      return Self.url(host, port: try await listen(host, wanted, group))
    }
    let port = try await listen("127.0.0.1", wanted, group)
    // A machine may have no IPv6, and another program the same port there.
    _ = try? await listen("::1", port, group)
    return Self.url("127.0.0.1", port: port)
  }

  private static func url(_ host: String, port: Int) -> String {
    let reachable = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
    return "http://\(HostPort(reachable, port))"
  }

  /// - Returns: the port.
  private func listen(_ host: String, _ port: Int, _ group: MultiThreadedEventLoopGroup) async throws -> Int {
    let bound = group.next().makePromise(of: Int.self)
    let quiet = Logger(label: "apnsim.control") { _ in SwiftLogNoOpLogHandler() }
    let responder = ControlResponder(control: self, access: AccessGuard(configuration), table: Self.table)
    let application = Application(
      responder: responder,
      server: HTTPServerBuilder { [limits] in ControlChannel($0, limits) },
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port),
        backlog: 1024,
        availableConnectionsDelegate: MaximumAvailableConnections(limits.connections)
      ),
      onServerRunning: { bound.succeed($0.localAddress?.port ?? port) },
      eventLoopGroupProvider: .shared(group),
      logger: quiet
    )
    let service = ServiceGroup(
      configuration: .init(
        services: [
          .init(
            service: application,
            failureTerminationBehavior: .gracefullyShutdownGroup,
            serviceName: "control API"
          )
        ],
        logger: quiet
      )
    )
    let task = Task {
      do {
        try await service.run()
        bound.fail(CancellationError())
      } catch {
        bound.fail(error)
      }
    }
    state.withLock { $0.services.append((service, task)) }
    do {
      return try await bound.futureResult.get()
    } catch {
      throw ServerError.cannotBindControl(host, port: port, error: error)
    }
  }

  package func finish() async { await sandboxes.endAll() }

  package func stop() async {
    state.withLock { $0.main }?.ending.come()
    await finish()
    let services = state.withLock { state in
      defer { state.services = [] }
      return state.services
    }
    await withDiscardingTaskGroup { tasks in
      for service in services {
        tasks.addTask { await Self.end(service.group, service.task) }
      }
    }
  }

  private static func end(_ group: ServiceGroup, _ task: Task<Void, Never>) async {
    await group.triggerGracefulShutdown()
    let limit = Task {
      try await Task.sleep(for: drain)
      task.cancel()
    }
    await task.value
    limit.cancel()
  }
}
