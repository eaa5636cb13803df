import APNSimControl
import APNSimCore
import APNSimServer
import APNSimTLS
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// One run of the simulator, from its plan to its end.
struct ServeRun {
  let plan: ServePlan
  let noColor: Bool

  /// Serves until SIGINT or SIGTERM, then finishes what was received and returns.
  /// - Throws: `CommandFailure` when it cannot start.
  func run() async throws {
    let seed = plan.run.seed ?? UInt64(UInt32.random(in: 1...UInt32.max))
    var logger = Logger(label: "apnsim") { [plan, noColor] _ in
      LogLines(level: plan.run.logLevel, style: .of(.standardError, isRefused: noColor))
    }
    logger.logLevel = plan.run.logLevel
    do {
      let directory = try PKIDirectory.prepare(plan.server.files.certificates)
      let simulator = try Simulator(
        configuration: plan.configuration,
        scenario: plan.scenario,
        seed: seed,
        start: .now,
        tokenIssuer: try TokenAuthority(directory)
      )
      let server = SimulatorServer(
        configuration: plan.server,
        simulator: simulator,
        logger: logger,
        pki: directory,
        companion: plan.server.control.isOn ? ControlServer(plan.server) : nil
      )
      let announced = AnnouncedServer(server: server) { endpoints in
        announce(endpoints, directory, seed: seed)
      }
      // The group listens for signals before anything starts: there is no moment at which Ctrl-C is rude.
      let group = ServiceGroup(
        configuration: .init(
          services: [.init(service: announced, successTerminationBehavior: .gracefullyShutdownGroup)],
          gracefulShutdownSignals: [.sigterm, .sigint],
          logger: Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
        )
      )
      try await group.run()
      for line in ClosingReport(simulator).lines { Output.note(line) }
    } catch let error as ServerError {
      let status: ExitStatus = error.kind == .write ? .cannotWrite : .runtimeError
      throw CommandFailure(status, error.description)
    } catch let error as ServerConfigurationError {
      throw CommandFailure(.badConfiguration, error.description)
    } catch let error as APNSimCore.CommandError {
      throw CommandFailure(.badConfiguration, "the scenario cannot be: \(error)")
    }
  }

  /// Prints where the simulator is: for people, or for the program that reads the first line.
  private func announce(_ endpoints: APNSimServer.Endpoints, _ directory: PKIDirectory, seed: UInt64) {
    if plan.run.printsJSON { Output.line(endpoints.json) }
    let place = plan.run.printsJSON ? FileHandle.standardError : .standardOutput
    let style = Style.of(place, isRefused: noColor)
    let lines = Banner(endpoints, directory, plan, seed: seed).lines(style)
    if plan.run.printsJSON { Output.note(lines.joined(separator: "\n")) } else { Output.lines(lines) }
  }
}

/// Starts a server, tells where it is, and runs it to its end.
private struct AnnouncedServer: Service {
  let server: SimulatorServer
  let announce: @Sendable (APNSimServer.Endpoints) -> Void

  func run() async throws {
    announce(try await server.start())
    try await server.run()
  }
}

extension Timestamp {
  /// The machine's time.
  static var now: Timestamp { Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1000)) }
}
