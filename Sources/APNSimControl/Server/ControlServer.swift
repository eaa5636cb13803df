package import APNSimServer
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The control API beside a running simulator: HTTP on a port of its own.
///
/// It has an event loop of its own, and answers are made on Swift's concurrency threads: the gateway's loops never do
/// its work.
package final class ControlServer: ServerCompanion {
  private let configuration: ServerConfiguration
  private let state = Mutex(State())
  package static let table = RouteTable(Resources.all)

  private let services: ControlServices

  /// The loop of every control API of the process, for as long as that runs.
  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  private struct State {
    var running: [(group: ServiceGroup, task: Task<Void, Never>)] = []
  }

  /// The time that requests may take to end when the simulator stops.
  private static let drain = Duration.seconds(1)

  /// - Parameter recording: the recording that the simulator is made of, where nothing may change it; nil for one that
  ///   runs.
  /// - Parameter durable: what outlives the process; nil where nothing does.
  package init(
    _ configuration: ServerConfiguration,
    redaction: CaptureRedaction,
    limits: ControlLimits = ControlLimits(),
    recording: ShownRecording? = nil,
    durable: DurableState? = nil
  ) {
    self.configuration = configuration
    services = ControlServices(
      redaction: redaction,
      limits: limits,
      recording: recording,
      durable: durable
    )
  }

  /// The number of event streams that are open.
  package var openStreams: Int { services.streams.open }

  /// Begins to serve before there is a simulator: whoever asks is told how far the state has been restored.
  /// - Returns: the base URL.
  @discardableResult
  package func startAhead() async throws -> String {
    let url = try await listen(Self.group)
    services.listens(at: url)
    return url
  }

  package func start(beside server: SimulatorServer) async throws -> String {
    services.begin(Space(server: server))
    return if let url = services.url { url } else { try await startAhead() }
  }

  private func listen(_ group: MultiThreadedEventLoopGroup) async throws -> String {
    let wanted = configuration.listening.ephemeral ? 0 : configuration.control.port
    if let host = configuration.listening.host, host != "localhost" {
      return Self.url(host, port: try await listen(host, wanted, group))
    }
    let port = try await listen("127.0.0.1", wanted, group)
    // A machine may lack IPv6, or another program may have the same port there.
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
    let responder = ControlResponder(
      services: services,
      access: AccessGuard(configuration),
      table: Self.table,
      page: PageAnswers(configuration.control.page, isAsApple: configuration.listening.asApple)
    )
    let listener = ControlListener(host: host, port: port, group: group, responder: responder, bound: bound)
    let service = ServiceGroup(
      configuration: .init(
        services: [
          .init(
            service: listener,
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
    state.withLock { $0.running.append((service, task)) }
    do {
      return try await bound.futureResult.get()
    } catch {
      throw ServerError.cannotBindControl(host, port: port, error: error)
    }
  }

  package func finish() async { await services.sandboxes.endAll() }

  package func stop() async {
    services.main?.ending.fire()
    await finish()
    let running = state.withLock { state in
      defer { state.running = [] }
      return state.running
    }
    await withDiscardingTaskGroup { tasks in
      for service in running {
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

/// The routes of all resources.
enum Resources {
  static let all: [Route] = [
    WaitResource.routes, NotificationsResource.routes, EventsResource.routes, DevicesResource.routes,
    FeedbackResource.routes, ChannelsResource.routes, FaultsResource.routes, ScenarioResource.routes,
    ClockResource.routes,
    ConnectionsResource.routes, QueriesResource.routes, SendResource.routes,
    SteeringResource.routes, CaptureResource.routes,
    MetricsResource.routes, RecordingResource.routes, StateResource.routes,
    SandboxesResource.routes, DocumentResource.routes, CredentialsResource.routes,
  ].flatMap { $0 }
}
