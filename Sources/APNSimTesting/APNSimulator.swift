import APNSimCore
import APNSimScenario
import APNSimServer
import Synchronization

/// A simulator of Apple's push service inside the test process: where a provider connects, and what became of what it sent.
///
/// It has ports, devices, rules, a clock and a journal of its own, so that tests run in parallel. The trait
/// ``Testing/Trait/apnsim`` gives each test one, which is ``current`` there; elsewhere ``start(scenario:seed:)`` makes one.
///
/// ```swift
/// @Test(.apnsim) func `an order is announced`() async throws {
///   let apns = try #require(APNSimulator.current)
///   let alice = try apns.device("alice")
///   try await provider(of: apns).notify(alice.token)
///   try await alice.wait(for: "alert~order")
/// }
/// ```
public final class APNSimulator: Sendable {
  /// The topic of ``Credentials/providerCertificate``, and of a device's app unless another is named.
  public static let topic = "com.example.app"

  /// The seed of all randomness where none is given: a test goes the same way each time.
  public static let usualSeed: UInt64 = 1

  @TaskLocal static var scoped: APNSimulator?

  /// The simulator of the running test; nil outside of a test with the trait ``Testing/Trait/apnsim``.
  public static var current: APNSimulator? { scoped }

  /// The address on which it listens: `127.0.0.1`.
  public let host: String
  /// The port of the HTTP/2 provider API: `https://127.0.0.1:PORT/3/device/TOKEN`, TLS 1.2 or 1.3.
  public let http2Port: Int
  /// The port of the binary gateway, TLS up to 1.2; Apple's is 2195.
  public let gatewayPort: Int
  /// The port of the binary feedback service, TLS up to 1.2; Apple's is 2196.
  public let feedbackPort: Int
  /// The authority that a provider trusts, and the proofs of who it is.
  public let credentials: Credentials

  let server: SimulatorServer
  /// Taken by whoever looks for a device and adds it.
  let devices = Mutex(())
  /// Ends waits when the simulator stops.
  let ending = EndSignal()

  var simulator: Simulator { server.simulator }

  private init(_ server: SimulatorServer, _ endpoints: Endpoints) throws {
    self.server = server
    host = endpoints.host
    http2Port = endpoints.http2Port ?? 0
    gatewayPort = endpoints.gatewayPort
    feedbackPort = endpoints.feedbackPort
    credentials = try Credentials(endpoints)
  }

  /// Starts a simulator on free ports of loopback. ``stop()`` has to follow; the trait ``Testing/Trait/apnsim`` does both.
  /// - Parameters:
  ///   - scenario: what it starts with; nil for no devices, no rules and the machine's clock.
  ///   - seed: of all randomness; nil for the scenario's, or ``usualSeed``.
  /// - Throws: ``TextError`` for a scenario with mistakes, or what keeps it from listening.
  public static func start(scenario: Scenario? = nil, seed: UInt64? = nil) async throws -> APNSimulator {
    let read = try scenario?.read() ?? APNSimCore.Scenario()
    let server = try await SharedServer.server.startSandbox(read, seed: seed ?? read.seed ?? usualSeed)
    do {
      guard let endpoints = server.endpoints else { throw CancellationError() }
      return try APNSimulator(server, endpoints)
    } catch {
      await server.stop()
      throw error
    }
  }

  /// Ends it: it answers what it has received, closes every connection and its ports, and ends waits. What it knows
  /// can still be looked at.
  public func stop() async {
    ending.fire()
    await server.stop()
  }

  /// Goes back to the beginning: the devices, rules and clock of the scenario, an empty history. Connections stay open.
  public func reset() throws { try server.perform(.reset) }

  /// Goes to the beginning of another scenario. Connections stay open.
  /// - Throws: ``TextError`` for one with mistakes; nothing has changed then.
  public func load(_ scenario: Scenario) throws {
    var read = try scenario.read()
    read.clock = read.clock ?? simulator.initialClock
    try server.perform(.replaceScenario(read))
  }

  /// Everything that happened, one JSON object a line, as `apnsim serve --record` writes it; `apnsim inspect` shows it.
  public var journal: String {
    let soFar = simulator.readJournalSoFar()
    var bytes = soFar.header
    while true {
      let slice = soFar.reader.next()
      bytes += slice.lines
      if slice.isLast || slice.next >= soFar.end { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
