import APNSimCore
import APNSimServer
import APNSimSystem
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
    FirstProcess.forgetAdopted()
    do {
      let served = try await ServedSimulator(plan, noColor: noColor)
      let announced = AnnouncedServer(server: served.server) { announce($0, served) }
      // The group traps signals before anything starts, so that Ctrl-C always ends it properly.
      let group = ServiceGroup(
        configuration: .init(
          services: [
            // Without a name, the service would get one made of all its values.
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
      let rotation = await Rotation.watch(served.server)
      defer { rotation?.cancel() }
      try await group.run()
      served.state?.close()
      for line in ClosingReport(served.simulator).lines { Output.note(line) }
    } catch {
      throw ServedSimulator.failure(error)
    }
  }

  /// Prints the endpoints: for people, or for the program that reads the first line.
  private func announce(_ endpoints: Endpoints, _ served: ServedSimulator) {
    if plan.run.printsJSON { Output.line(endpoints.json) }
    let place = plan.run.printsJSON ? SystemFile.standardError : .standardOutput
    let style = Style.of(place, isRefused: noColor)
    var banner = Banner(endpoints, served.directory, plan, seed: served.seed)
    banner.state = served.state?.line(deviceCount: served.simulator.stock.devices)
    let lines = banner.lines(style)
    if plan.run.printsJSON { Output.note(lines.joined(separator: "\n")) } else { Output.lines(lines) }
  }
}

/// Continues the recording in a new file on SIGHUP, as programs that rotate logs ask for it.
private enum Rotation {
  /// Nil where the signal ends the process.
  static func watch(_ server: SimulatorServer) async -> Task<Void, Never>? {
    guard server.reopensRecording else { return nil }
    let signals = await UnixSignalsSequence(trapping: .sighup)
    return Task.detached {
      for await _ in signals { server.reopenRecording() }
    }
  }
}

/// Starts a server, announces its endpoints, and runs it to its end.
private struct AnnouncedServer: Service {
  let server: SimulatorServer
  let announce: @Sendable (Endpoints) -> Void

  func run() async throws {
    do { announce(try await server.start()) } catch is CancellationError { return }
    try await server.run()
  }
}
