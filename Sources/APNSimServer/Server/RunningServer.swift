import APNSimCore
import APNSimSystem
import APNSimTLS
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The parts of a server that exist only while it runs, with their start and stop.
final class RunningServer: Sendable {
  let endpoints: Endpoints
  let services: ConnectionServices
  let wakeTimer: WakeTimer
  let foundation: ServerFoundation
  private let listeners: [ListenerBinder.Bound]
  let journal: Mutex<JournalFile?>

  private init(
    endpoints: Endpoints,
    services: ConnectionServices,
    wakeTimer: WakeTimer,
    foundation: ServerFoundation,
    listeners: [ListenerBinder.Bound],
    journal: JournalFile?
  ) {
    self.endpoints = endpoints
    self.services = services
    self.wakeTimer = wakeTimer
    self.foundation = foundation
    self.listeners = listeners
    self.journal = Mutex(journal)
  }

  // MARK: Start

  static func start(_ server: SimulatorServer) async throws -> RunningServer {
    try server.configuration.validate()
    let foundation = try server.foundation ?? ServerFoundation(server)
    do {
      return try await start(server, on: foundation)
    } catch {
      await server.additions.companion?.stop()
      if server.foundation == nil { await foundation.close() }
      throw error
    }
  }

  private static func start(
    _ server: SimulatorServer,
    on foundation: ServerFoundation
  ) async throws -> RunningServer {
    let configuration = server.configuration
    let group = foundation.group
    let wakeTimer = WakeTimer(server.simulator, on: group.next(), server.log)
    let loops = try await loops(group, configuration, wakeTimer)
    let services = ConnectionServices(
      configuration,
      server.simulator,
      foundation.credentials,
      wakeTimer,
      server.served,
      server.log,
      loops
    )
    server.simulator.setOutlet(ConnectionOutlet(services.table, services.timers))
    var listeners: [ListenerBinder.Bound] = []
    do {
      return try await listen(server, services, wakeTimer, foundation, &listeners)
    } catch {
      for channel in listeners.flatMap(\.channels) { try? await channel.close() }
      for channel in services.table.all { channel.close(promise: nil) }
      disconnect(services, wakeTimer)
      throw error
    }
  }

  private static func goOn(_ server: SimulatorServer) {
    let back = server.simulator.goOn(at: server.wallTime)
    guard back > .seconds(1) else { return }
    server.log.say(
      .notice,
      "the system's clock is \(back) behind the state's last moment: the state's time goes back with it, and what is due "
        + "later waits for it"
    )
  }

  private static func listen(
    _ server: SimulatorServer,
    _ services: ConnectionServices,
    _ wakeTimer: WakeTimer,
    _ foundation: ServerFoundation,
    _ listeners: inout [ListenerBinder.Bound]
  ) async throws -> RunningServer {
    let configuration = server.configuration
    let durable = server.additions.durable
    var control: String?
    if durable == nil { control = try await server.additions.companion?.start(beside: server) }
    let binder = ListenerBinder(services: services, group: foundation.group, isHeld: durable != nil)
    for plan in configuration.plans {
      listeners.append(try await binder.bind(plan))
      if durable == nil { server.isBound(plan.name) }
    }
    // The file is emptied only once the ports are bound: another simulator may be recording to it. The events since
    // the simulator was made are recorded too.
    var journal: JournalFile?
    if let path = configuration.files.record {
      let pipe = try await NamedPipe.awaitReader(of: path)
      journal = try open(path, server)
      _ = consume pipe
    }
    if let journal { server.simulator.add(journal) }
    do {
      if let durable {
        durable.whenBound()
        if durable.isRestored { goOn(server) }
        control = try await server.additions.companion?.start(beside: server)
        for listener in listeners {
          try await binder.open(listener)
          server.isBound(listener.plan.name)
        }
      }
    } catch {
      if let journal { close(journal, server) }
      throw error
    }
    var endpoints = endpoints(configuration, foundation.pki, listeners)
    endpoints.control = control
    do {
      if let path = configuration.files.endpoints {
        let pipe = try await NamedPipe.awaitReader(of: path)
        try write(endpoints, to: path)
        _ = consume pipe
      }
    } catch {
      if let journal { close(journal, server) }
      throw error
    }
    wakeTimer.start()
    wakeTimer.reconsider()
    return RunningServer(
      endpoints: endpoints,
      services: services,
      wakeTimer: wakeTimer,
      foundation: foundation,
      listeners: listeners,
      journal: journal
    )
  }

  /// Ends the links between the simulator and the connections, which no longer retain each other.
  private static func disconnect(_ services: ConnectionServices, _ wakeTimer: WakeTimer) {
    wakeTimer.stop()
    services.simulator.setOutlet(nil)
    services.timers.stop()
  }

  private static func loops(
    _ group: MultiThreadedEventLoopGroup,
    _ configuration: ServerConfiguration,
    _ wakeTimer: WakeTimer
  ) async throws -> [ObjectIdentifier: NIOLoopBound<LoopContext>] {
    let all = Array(group.makeIterator())
    let handshakes = max(1, configuration.capacity.handshakes / max(1, all.count))
    let readDelay = TimeAmount(configuration.timing.readDelay)
    var contexts: [ObjectIdentifier: NIOLoopBound<LoopContext>] = [:]
    for loop in all {
      contexts[ObjectIdentifier(loop)] = try await loop.submit {
        NIOLoopBound(
          LoopContext(loop: loop, wakeTimer: wakeTimer, readDelay: readDelay, handshakeLimit: handshakes),
          eventLoop: loop
        )
      }.get()
    }
    return contexts
  }

  private static func endpoints(
    _ configuration: ServerConfiguration,
    _ pki: PKIDirectory,
    _ listeners: [ListenerBinder.Bound]
  ) -> Endpoints {
    func port(_ listener: Listener, second: Bool) -> Int? {
      let matching = listeners.filter { $0.plan.listener == listener }.map(\.port)
      return second ? matching.dropFirst().first : matching.first
    }
    // Either may be off by itself.
    func requestPort(_ environment: PushEnvironment) -> Int? {
      listeners.first { $0.plan.listener == .http2 && $0.plan.environment == environment }?.port
    }
    let first = configuration.listening.environment.first
    let requests = requestPort(first)
    let sandboxRequests = configuration.listening.environment == .both ? requestPort(.sandbox) : nil
    let provider = configuration.listening.environment == .sandbox ? pki.sandboxProvider : pki.provider
    return Endpoints(
      processIdentifier: ThisProcess.identifier,
      host: configuration.reachableHost,
      gatewayPort: port(.gateway, second: false) ?? 0,
      feedbackPort: port(.feedback, second: false) ?? 0,
      http2Port: requests,
      sandboxGatewayPort: port(.gateway, second: true),
      sandboxFeedbackPort: port(.feedback, second: true),
      sandboxHTTP2Port: sandboxRequests,
      devicePort: port(.device, second: false),
      providerTokenKeyFile: SystemPath.absolute(pki.providerKeyFile),
      keyID: PKIDirectory.defaultProviderKey,
      teamID: PKIDirectory.defaultTeam,
      authorityFile: SystemPath.absolute(pki.caFile),
      providerCertificateFile: SystemPath.absolute(provider.certificate),
      providerKeyFile: SystemPath.absolute(provider.key),
      providerPKCS12File: SystemPath.absolute(provider.pkcs12)
    )
  }

  private static func write(_ endpoints: Endpoints, to path: String) throws(ServerError) {
    do throws(OutputFailure) {
      try NamedFile.check(path, for: .other)
      let text = Array((endpoints.json + "\n").utf8)
      try OutputFailure.naming(path) { () throws(SystemError) in
        try FileReplacement.write(text, to: path, mode: 0o644, isExact: false)
      }
    } catch {
      throw ServerError(kind: .write, description: "\(error)")
    }
  }

  // MARK: Stop

  /// Stops accepting, lets connections finish within the time to drain, then closes what is left.
  func stop(_ server: SimulatorServer) async {
    let log = services.log
    await finishAccepting()
    await eachListener { try? await $0.close() }
    let open = services.table.count
    if open > 0 { log.say(.info, "finishing \(open) connection\(open == 1 ? "" : "s")") }
    async let companion: Void? = server.additions.companion?.finish()
    await drainConnections()
    _ = await companion
    await server.additions.companion?.stop()
    Self.disconnect(services, wakeTimer)
    if let journal = journal.withLock({ $0.take() }) {
      services.simulator.remove(journal)
      report(journal.finish())
    }
    // A sandbox borrows both from the server beside it.
    guard server.foundation == nil else { return }
    log.finish()
    await foundation.close()
  }

  private func eachListener(_ body: @escaping @Sendable (any Channel) async -> Void) async {
    await withDiscardingTaskGroup { tasks in
      for channel in listeners.flatMap(\.channels) { tasks.addTask { await body(channel) } }
    }
  }

  /// Accepts the connections that wait already: the kernel resets them when a listener closes.
  private func finishAccepting() async {
    let end = NIODeadline.now() + TimeAmount(services.configuration.timing.drain)
    var before: Int
    repeat {
      before = services.table.accepted
      await eachListener { channel in
        // A loop polls its sockets between two tasks.
        for _ in 0..<2 {
          try? await channel.eventLoop.scheduleTask(in: .milliseconds(1)) {}.futureResult.get()
        }
      }
    } while services.table.accepted > before && .now() < end
  }

  private func drainConnections() async {
    let table = services.table
    let loop = foundation.group.next()
    let limit = TimeAmount(services.configuration.timing.drain)
    let force = loop.scheduleTask(in: limit) {
      for channel in table.all { channel.close(promise: nil) }
    }
    // A TLS session that has failed lingers before it closes; that wait has a limit too.
    let abandon = loop.makePromise(of: Void.self)
    let giveUp = loop.scheduleTask(in: limit + .seconds(1)) { abandon.succeed() }
    let empty = loop.makePromise(of: Void.self)
    empty.futureResult.cascade(to: abandon)
    table.drain(empty)
    try? await abandon.futureResult.get()
    force.cancel()
    giveUp.cancel()
    if table.count == 0 { return }
    services.log.say(.warning, "\(table.count) connections could not be closed in time")
  }
}

extension ServerConfiguration {
  /// The address that clients on this machine connect to.
  var reachableHost: String {
    switch listening.host {
    case nil, "localhost", "0.0.0.0": "127.0.0.1"
    case "::": "::1"
    case let host?: host
    }
  }
}
