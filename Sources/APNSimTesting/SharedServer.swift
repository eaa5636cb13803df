import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimSystem
import APNSimTLS
import Logging
import Synchronization

/// The server of this process, beside which every simulator is a sandbox: they share its certificates and event loops.
/// It is started when the first one needs it, on free ports of loopback, and ends with the process.
enum SharedServer {
  // Detached: it is not the first test's.
  private static let starting = Task.detached { try await start() }

  static var server: SimulatorServer {
    get async throws { try await starting.value }
  }

  private static func start() async throws -> SimulatorServer {
    let directory = SystemFolder.temporaryPath(ending: "-testing")
    // The keys of P-256 are made in no time.
    let pki = try PKIDirectory.prepare(directory, algorithm: .p256)
    certificates.withLock { $0 = directory }
    ThisProcess.atEnd { SharedServer.removeCertificates() }
    var configuration = ServerConfiguration()
    // Three ports each: of hundreds of tests at once, each has a simulator.
    configuration.listening.ephemeral = true
    configuration.listening.host = "127.0.0.1"
    configuration.listening.devicePort = nil
    configuration.files.certificates = directory
    configuration.control.isOn = false
    configuration.capacity.connections = 10_000
    configuration.timing.drain = .seconds(1)
    let server = SimulatorServer(
      configuration: configuration,
      simulator: try Simulator(seed: APNSimulator.usualSeed, start: .now),
      logger: Logger(label: "apnsim") { _ in SwiftLogNoOpLogHandler() },
      ServerAdditions(pki: pki)
    )
    try await server.start()
    return server
  }

  /// The directory of the certificates.
  private static let certificates = Mutex<String?>(nil)

  private static func removeCertificates() {
    guard let directory = certificates.withLock({ $0.take() }) else { return }
    for name in (try? SystemFolder.names(in: directory)) ?? [] {
      try? SystemPath.remove("\(directory)/\(name)")
    }
    try? SystemFolder.remove(directory)
  }
}
