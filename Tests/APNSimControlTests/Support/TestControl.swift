import APNSimCapture
import APNSimControl
import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import Foundation
import Logging

/// A simulator with its control API on free ports.
struct TestControl: Sendable {
  let server: SimulatorServer
  let control: ControlServer
  let endpoints: Endpoints
  let http: TestClient

  /// Runs one for the time of `body`.
  static func run(
    scenario: Scenario = Scenario(),
    core: Configuration = Configuration(),
    environment: EnvironmentChoice = .production,
    sharesCredentials: Bool = false,
    token: String? = nil,
    isOpen: Bool = false,
    serverNames: [String] = [],
    page: PageMode = .on,
    limits: ControlLimits = ControlLimits(),
    redacts: Bool = false,
    recording: ShownRecording? = nil,
    _ body: (TestControl) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.listening.ephemeral = true
    configuration.listening.environment = environment
    configuration.timing.drain = .seconds(2)
    configuration.timing.handshakeTimeout = .seconds(300)
    configuration.control.token = token
    if isOpen {
      // Loopback all the same, but not by its form.
      configuration.listening.host = "127.1"
      configuration.control.isInsecure = true
    }
    configuration.tls.serverNames = serverNames
    configuration.control.page = page
    configuration.control.sharesCredentials = sharesCredentials
    let pseudonyms = TokenPseudonyms { token in token.map { $0 ^ 0x5A } }
    let redaction = CaptureRedaction(pseudonyms, isUsual: redacts)
    let control = ControlServer(
      configuration,
      redaction: redaction,
      limits: limits,
      recording: recording
    )
    let server = SimulatorServer(
      configuration: configuration,
      simulator: try Simulator(configuration: core, scenario: scenario, seed: 1, start: start),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      ServerAdditions(pki: try certificates(), companion: control)
    )
    let endpoints = try await server.start()
    let port = endpoints.control.flatMap { Int($0.split(separator: ":").last ?? "") } ?? 0
    let test = TestControl(
      server: server,
      control: control,
      endpoints: endpoints,
      http: TestClient(port: port)
    )
    do {
      try await body(test)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// 2012-06-01T00:00:00Z
  static let start = Timestamp(seconds: 1_338_508_800)

  var simulator: Simulator { server.simulator }

  // MARK: A provider without a network

  static let topic = "com.example.app"
  static let token = [UInt8](repeating: 0xA1, count: 32)

  func provider(of topic: String = topic) throws -> GatewayConnection {
    let identity = ProviderIdentity(topics: [topic], environment: .production, subject: "UID=\(topic)")
    return try simulator.openGateway(ConnectionOpening(peer: "test", provider: identity), at: Self.start)
  }

  static func frame(_ identifier: UInt32, _ payload: String, to token: [UInt8] = token) -> [UInt8] {
    let id = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: identifier >> $0) }
    let count = payload.utf8.count
    return [1] + id + [0x7F, 0xFF, 0xFF, 0xFF, 0, UInt8(token.count)] + token
      + [UInt8(count >> 8), UInt8(count & 255)] + Array(payload.utf8)
  }

  // MARK: Certificates

  private static let prepared: PKIDirectory? = try? PKIDirectory.prepare(
    TemporaryDirectory.ofThisRun.file("control-certs"),
    algorithm: .p256
  )

  static func certificates() throws -> PKIDirectory {
    guard let prepared else { throw CocoaError(.fileNoSuchFile) }
    return prepared
  }
}

extension GatewayConnection {
  @discardableResult
  func send(_ bytes: [UInt8], at now: Timestamp = TestControl.start) -> GatewayAction {
    bytes.withUnsafeBytes { receive($0, at: now) }
  }
}
