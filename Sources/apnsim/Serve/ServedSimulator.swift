import APNSimCapture
import APNSimControl
import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimState
import APNSimSystem
import APNSimTLS
import Logging

/// A simulator with its listeners and its control API, made from a plan: what `serve` and `exec` run.
struct ServedSimulator {
  let server: SimulatorServer
  let simulator: Simulator
  let directory: PKIDirectory
  let seed: UInt64
  /// The state that outlives the process; nil where there is none.
  let state: ServedState?

  /// - Throws: what ``failure(_:)`` puts into words.
  init(_ plan: ServePlan, noColor: Bool) async throws {
    var logger = Logger(label: "apnsim") { _ in
      LogLines(level: plan.run.logLevel, style: .of(.standardError, isRefused: noColor))
    }
    logger.logLevel = plan.run.logLevel
    directory = try Self.certificates(plan.server)
    let pseudonyms = try RedactionKey.pseudonyms(plan.run.redactKey)
    let redaction = CaptureRedaction(pseudonyms, isUsual: plan.run.redacts)
    let place = try plan.run.state.map { try ServedState.Place($0, seed: plan.run.seed) }
    seed = place?.seed ?? plan.run.seed ?? RunSettings.randomSeed
    let durable = place.map { _ in DurableState() }
    let control =
      plan.server.control.isOn ? ControlServer(plan.server, redaction: redaction, durable: durable) : nil
    if let place, let durable {
      // A client that asks meanwhile is told how far it is.
      try await control?.startAhead()
      let (state, simulator) = try await ServedState.restore(
        place,
        plan,
        certificates: directory,
        progress: durable.progress,
        logger: logger
      )
      durable.isKept(by: state.keeper)
      (self.state, self.simulator) = (state, simulator)
    } else {
      state = nil
      simulator = try Simulator(
        configuration: plan.configuration,
        scenario: plan.scenario,
        seed: seed,
        start: .now,
        tokenIssuer: try TokenAuthority(directory)
      )
    }
    server = SimulatorServer(
      configuration: plan.server,
      simulator: simulator,
      logger: logger,
      ServerAdditions(
        pki: directory,
        companion: control,
        recordFilter: plan.run.redacts ? JournalRedactor(pseudonyms).filter : nil,
        durable: state?.beginning(plan.run)
      )
    )
    state?.isServed(by: server)
  }

  /// Stops serving, and writes down what outlives the process.
  func stop() async {
    await server.stop()
    state?.close()
  }

  /// The certificates, made where they are missing. Where they cannot be, the error says who has to be able to write.
  private static func certificates(_ configuration: ServerConfiguration) throws -> PKIDirectory {
    let path = configuration.files.certificates
    do throws(TLSSetupError) {
      return try PKIDirectory.prepare(path, serverNames: configuration.tls.serverNames)
    } catch {
      guard error.isWriting, error.hint == nil else { throw error }
      var failure = error
      failure.hint =
        "certificates are made in \(path) (--certs and APNSIM_CERTS name another directory), to which user "
        + "\(ThisProcess.user) has to be able to write"
      throw failure
    }
  }

  /// Turns the error of a simulator that could not start or run into a command's.
  static func failure(_ error: any Error) -> any Error {
    switch error {
    case let error as ServerError:
      CommandFailure(
        error.kind == .write || error.kind == .inUse ? .cannotWrite : .runtimeError,
        error.description,
        hints: error.kind == .inUse
          ? ["each simulator needs a recording of its own; under exec, %p in the name is the process id"] : []
      )
    case let error as StateFailure: CommandFailure(error)
    case let error as ServerConfigurationError: CommandFailure(.badConfiguration, error.description)
    case let error as APNSimCore.CommandError:
      CommandFailure(.badConfiguration, "the scenario cannot be set up: \(error)")
    default: error
    }
  }
}
