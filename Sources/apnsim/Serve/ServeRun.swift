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
    do {
      let served = try ServedSimulator(plan, noColor: noColor)
      let announced = AnnouncedServer(server: served.server) { endpoints in
        announce(endpoints, served.directory, seed: served.seed)
      }
      // The group listens for signals before anything starts: there is no moment at which Ctrl-C is rude.
      let group = ServiceGroup(
        configuration: .init(
          services: [
            // Without a name of its own it is given one that is made of all its values.
            .init(
              service: announced,
              successTerminationBehavior: .gracefullyShutdownGroup,
              serviceName: "apnsim"
            )
          ],
          gracefulShutdownSignals: [.sigterm, .sigint],
          logger: Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }
        )
      )
      try await group.run()
      for line in ClosingReport(served.simulator).lines { Output.note(line) }
    } catch {
      throw ServedSimulator.failure(error)
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
    do { announce(try await server.start()) } catch is CancellationError { return }
    try await server.run()
  }
}

extension Timestamp {
  /// The machine's time.
  static var now: Timestamp { Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1000)) }
}
