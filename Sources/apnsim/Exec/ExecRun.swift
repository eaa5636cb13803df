import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimSystem
import Logging
import SystemPackage

/// One run of `exec`: the simulator comes before the command and goes after it.
struct ExecRun {
  let layers: SettingLayers
  let command: [String]
  let noColor: Bool

  /// The exit code for our own failures, as for `env` and `timeout`.
  static let ownFailure: Int32 = 125
  static let cannotRun: Int32 = 126
  static let notFound: Int32 = 127

  /// - Returns: the exit code.
  /// - Throws: what kept the simulator from starting; the command has not run then.
  func run() async throws -> Int32 {
    try SupervisedCommand.trapSignals()
    var ephemeral = layers
    // Ports in our environment are an outer simulator's, and need not fit ours.
    ephemeral.flags.append(SettingAssignment(name: "ephemeral", text: "on"))
    var plan = try ephemeral.plan()
    try usePorts(of: layers.flags, in: &plan)
    var certificates: ExecCertificates?
    if !plan.said.contains("certs") {
      let made = try ExecCertificates.prepare(environment: layers.environment)
      plan.server.files.certificates = made.path
      certificates = made
    }
    defer { certificates?.remove() }
    plan.server.files.record = plan.server.files.record?.replacing("%p", with: "\(ThisProcess.identifier)")
    let served = try await ServedSimulator(plan, noColor: noColor)
    let endpoints: Endpoints
    switch try await start(served.server) {
    case .started(let ready): endpoints = ready
    case .interrupted(let signal):
      await served.stop()
      return 128 + signal
    }
    if layers.flags.contains(where: { $0.name == "print" }), plan.run.printsJSON {
      Output.line(endpoints.json)
    }
    let ending: SupervisedCommand.Ending
    do {
      let supervised = try SupervisedCommand(
        command,
        environment: ExecEnvironment.variables(
          layers.environment,
          endpoints,
          environment: plan.server.listening.environment,
          certificates: AbsolutePath.of(plan.server.files.certificates),
          token: plan.server.control.token
        ),
        scratch: certificates?.path
      )
      ending = await supervised.end()
    } catch {
      await served.stop()
      throw error
    }
    await served.stop()
    for line in ClosingReport(served.simulator).lines { Output.note(line) }
    return code(ending)
  }

  /// Listens on the ports that flags name, and on free ones for the rest.
  private func usePorts(of flags: [SettingAssignment], in plan: inout ServePlan) throws(CommandFailure) {
    let named = Set(flags.map(\.name))
    guard !named.contains("ephemeral") else { return }
    var listening = plan.server.listening
    listening.ephemeral = false
    if !named.contains("gatewayPort") { listening.gatewayPort = 0 }
    if !named.contains("feedbackPort") { listening.feedbackPort = 0 }
    if !named.contains("sandboxGatewayPort") { listening.sandboxGatewayPort = 0 }
    if !named.contains("sandboxFeedbackPort") { listening.sandboxFeedbackPort = 0 }
    if !named.contains("http2Port"), listening.http2Port != nil { listening.http2Port = 0 }
    if !named.contains("sandboxHttp2Port"), listening.sandboxHTTP2Port != nil {
      listening.sandboxHTTP2Port = 0
    }
    if !named.contains("devicePort"), listening.devicePort != nil { listening.devicePort = 0 }
    if !named.contains("controlPort") { plan.server.control.port = 0 }
    plan.server.listening = listening
    do {
      try plan.server.validate()
    } catch {
      throw CommandFailure(.badConfiguration, "\(error)")
    }
  }

  private enum Start: Sendable {
    case started(Endpoints)
    case interrupted(Int32)
  }

  /// After Ctrl-C the command is not started any more, and a named pipe among the files may keep the
  /// simulator waiting for its reader.
  private func start(_ server: SimulatorServer) async throws -> Start {
    try await withThrowingTaskGroup(of: Start?.self) { group in
      group.addTask {
        do { return .started(try await server.start()) } catch is CancellationError { return nil }
      }
      group.addTask {
        while true {
          if let signal = SupervisedCommand.pendingSignal { return .interrupted(signal) }
          guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return nil }
        }
      }
      var result: Start?
      while let next = try await group.next() {
        group.cancelAll()
        // A signal is received once: it counts even if the simulator became ready at the same moment.
        if case .interrupted = next { result = next } else { result = result ?? next }
      }
      guard let result else { throw CancellationError() }
      return result
    }
  }

  private func code(_ ending: SupervisedCommand.Ending) -> Int32 {
    switch ending {
    case .ended(let code): return code
    case .notRun(let error):
      Output.note("apnsim: error: \(command[0]): \(error.description)")
      return error == .noSuchFileOrDirectory ? Self.notFound : Self.cannotRun
    case .supervisorLost:
      Output.note("apnsim: error: the process that supervises the command was killed, and so is the command")
      return Self.ownFailure
    }
  }
}
