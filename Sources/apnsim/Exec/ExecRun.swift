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
    // Before any file is read: in namespaces this program begins anew. A configuration may ask for it as well.
    var names = try layers.named().server.listening.asApple ? appleNames() : nil
    try SupervisedCommand.trapSignals()
    var ephemeral = layers
    // Ports in our environment are an outer simulator's, and need not fit ours.
    ephemeral.flags.append(SettingAssignment(name: "ephemeral", text: "on"))
    var plan = try ephemeral.plan()
    if plan.server.listening.asApple, names == nil { names = try appleNames() }
    try usePorts(of: layers.flags, in: &plan)
    if let names { plan.server.listening.host = names.host(plan.server.listening.host) }
    let certificates =
      plan.said.contains("certs") ? nil : try ExecCertificates.prepare(environment: layers.environment)
    if let certificates { plan.server.files.certificates = certificates.path }
    let scratch = try certificates ?? (names == nil ? nil : ExecCertificates.empty())
    defer { scratch?.remove() }
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
      var variables = ExecEnvironment.variables(
        layers.environment,
        endpoints,
        environment: plan.server.listening.environment,
        certificates: AbsolutePath.of(plan.server.files.certificates),
        token: plan.server.control.token
      )
      let place = try names.flatMap { try stand(in: $0, endpoints, plan, scratch) }
      if let place { variables.merge(place.variables) { $1 } }
      let overlays = place?.overlays ?? []
      let supervised = try SupervisedCommand(
        command,
        environment: variables,
        overlays: overlays,
        scratch: scratch?.path
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

  // MARK: In Apple's place

  private func appleNames() throws(CommandFailure) -> AppleNames {
    try AppleNames.settle(path: layers.environment["PATH"] ?? "")
  }

  /// Makes what the command sees, and says how, and where the page is.
  private func stand(
    in names: AppleNames,
    _ endpoints: Endpoints,
    _ plan: ServePlan,
    _ scratch: ExecCertificates?
  ) throws -> ApplesPlace? {
    guard let scratch else { return nil }
    Output.note("apnsim: \(names.line)")
    if plan.server.control.page != .off, let control = endpoints.control {
      Output.note("apnsim: the page: \(control)/")
    }
    return try ApplesPlace(
      address: endpoints.host,
      authority: endpoints.authorityFile,
      in: scratch.path,
      environment: layers.environment
    )
  }

  /// Listens on the ports that flags name, and on free ones for the rest.
  private func usePorts(of flags: [SettingAssignment], in plan: inout ServePlan) throws(CommandFailure) {
    let named = Set(flags.map(\.name))
    guard !named.contains("ephemeral") else { return }
    var listening = plan.server.listening
    listening.ephemeral = false
    let isApples = listening.asApple
    if !named.contains("gatewayPort") { listening.gatewayPort = isApples ? AppleHost.gatewayPort : 0 }
    if !named.contains("feedbackPort") { listening.feedbackPort = isApples ? AppleHost.feedbackPort : 0 }
    if !named.contains("sandboxGatewayPort") { listening.sandboxGatewayPort = 0 }
    if !named.contains("sandboxFeedbackPort") { listening.sandboxFeedbackPort = 0 }
    if !named.contains("http2Port"), listening.http2Port != nil {
      listening.http2Port = isApples ? AppleHost.requestPorts[0] : 0
    }
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
    case .unprepared(let error):
      Output.note("apnsim: error: hosts file and CAs cannot be laid over the system's: \(error.description)")
      return ExitStatus.unreachable.rawValue
    case .supervisorLost:
      Output.note("apnsim: error: the process that supervises the command was killed, and so is the command")
      return Self.ownFailure
    }
  }
}
