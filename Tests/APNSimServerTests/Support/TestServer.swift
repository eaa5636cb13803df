import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import Logging
import Testing

/// A server under test on free ports, with its journal and log.
struct TestServer: Sendable {
  static let topic = GatewayVector.topic

  let server: SimulatorServer
  let simulator: Simulator
  let endpoints: Endpoints
  let journal: TestJournal
  let log: LogLines

  /// The settings in which a test differs from the default.
  struct Options {
    var server = ServerConfiguration()
    var core = Configuration()
    var scenario = Scenario()
    var issuer: (any TokenIssuing)?
    /// Rendering it costs more than judging; tests with very many notifications do without.
    var keepsJournal = true
    var recordFilter: JournalFile.Filter?
    var companion: (any ServerCompanion)?
    var start = Timestamp(seconds: 1_338_508_800)

    init() {
      server.listening.ephemeral = true
      server.timing.drain = .seconds(2)
      // Most tests do not look at how far the end is from the answer.
      server.timing.endingPause = .zero
      // A machine that is busy with other tests must not end a handshake.
      server.timing.handshakeTimeout = .seconds(300)
    }
  }

  /// Runs a server for the time of `body`.
  static func run(
    _ change: (inout Options) throws -> Void = { _ in },
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let test = try await start(change)
    do {
      try await body(test)
      await test.server.stop()
    } catch {
      await test.server.stop()
      throw error
    }
  }

  static func start(_ change: (inout Options) throws -> Void = { _ in }) async throws -> TestServer {
    var options = Options()
    try change(&options)
    let simulator = try Simulator(
      configuration: options.core,
      scenario: options.scenario,
      seed: 1,
      start: options.start,
      tokenIssuer: options.issuer
    )
    let journal = TestJournal()
    if options.keepsJournal { simulator.add(journal) }
    let log = LogLines()
    let server = SimulatorServer(
      configuration: options.server,
      simulator: simulator,
      logger: log.logger,
      ServerAdditions(
        pki: try TestPKI.prepared(),
        companion: options.companion,
        recordFilter: options.recordFilter
      )
    )
    let endpoints = try await server.start()
    return TestServer(server: server, simulator: simulator, endpoints: endpoints, journal: journal, log: log)
  }

  /// A provider that has completed its handshake with the gateway.
  func gateway(
    _ identity: TLSIdentity? = nil,
    port: Int? = nil,
    tls: (inout TLSClientOptions) -> Void = { _ in }
  ) async throws -> TestProvider {
    let identity = try identity ?? TestPKI.provider(Self.topic)
    return try await TestProvider.connect(port ?? endpoints.gatewayPort, as: identity, tls: tls)
  }

  /// The little world of the vectors, where only its devices are known.
  static func known(_ options: inout Options) {
    options.core.tokens = .known
    options.scenario.devices = GatewayVector.devices
  }

  /// A provider that has completed its handshake with the feedback service.
  func feedback(
    _ identity: TLSIdentity? = nil,
    port: Int? = nil,
    isPaused: Bool = false
  ) async throws -> TestProvider {
    let identity = try identity ?? TestPKI.provider(Self.topic)
    return try await TestProvider.connect(port ?? endpoints.feedbackPort, as: identity, isPaused: isPaused)
  }
}

extension SimulatorServer {
  /// Ends a connection the way an operator would.
  /// - Returns: false when there is no such connection.
  @discardableResult
  func end(_ id: ConnectionID, _ how: KillMode) -> Bool {
    do {
      _ = try carryOut(.endConnection(id, how))
      return true
    } catch {
      return false
    }
  }
}
