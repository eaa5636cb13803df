import APNSimCapture
import APNSimControl
import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimTLS
import Logging

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A simulator with its listeners and its control API, made from a plan: what `serve` and `exec` run.
struct ServedSimulator {
  let server: SimulatorServer
  let simulator: Simulator
  let directory: PKIDirectory
  let seed: UInt64

  /// - Throws: what ``failure(_:)`` puts into words.
  init(_ plan: ServePlan, noColor: Bool) throws {
    seed = plan.run.seed ?? UInt64(UInt32.random(in: 1...UInt32.max))
    var logger = Logger(label: "apnsim") { _ in
      LogLines(level: plan.run.logLevel, style: .of(.error, isRefused: noColor))
    }
    logger.logLevel = plan.run.logLevel
    directory = try Self.certificates(plan.server)
    simulator = try Simulator(
      configuration: plan.configuration,
      scenario: plan.scenario,
      seed: seed,
      start: .now,
      tokenIssuer: try TokenAuthority(directory)
    )
    let pseudonyms = try RedactionKey.pseudonyms(plan.run.redactKey)
    let redaction = CaptureRedaction(pseudonyms, isUsual: plan.run.redacts)
    server = SimulatorServer(
      configuration: plan.server,
      simulator: simulator,
      logger: logger,
      pki: directory,
      companion: plan.server.control.isOn ? ControlServer(plan.server, redaction: redaction) : nil,
      recordFilter: plan.run.redacts ? JournalRedactor(pseudonyms).filter : nil
    )
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
        + "\(geteuid()) has to be able to write"
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
    case let error as ServerConfigurationError: CommandFailure(.badConfiguration, error.description)
    case let error as APNSimCore.CommandError:
      CommandFailure(.badConfiguration, "the scenario cannot be set up: \(error)")
    default: error
    }
  }
}
