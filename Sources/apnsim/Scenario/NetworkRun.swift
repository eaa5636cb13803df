import APNSimCore
import APNSimProvider
import APNSimScenario
import APNSimServer
import APNSimTLS
import APNSimWire
import Logging

/// Serves a scenario on free ports and plays its traffic over TLS, beside whoever else connects.
///
/// Simulated time moves from one step to the next, as without a network, once the server has dealt with the last.
final class NetworkRun {
  let script: ScenarioScript
  let simulator: Simulator
  private let server: SimulatorServer
  private let certificates: TrafficCertificates
  private let keys: TrafficKeys
  private let options: ScenarioNetworkOptions
  private let start: Timestamp
  private var endpoints: Endpoints?
  private var players: [String: TrafficPlayer] = [:]
  private var names: [String] = []
  private var outcomes: [ScenarioOutcome] = []
  private var failures: [String] = []

  init(
    _ script: ScenarioScript,
    seed: UInt64?,
    recorder: (any JournalRecorder)?,
    options: ScenarioNetworkOptions
  ) throws {
    self.script = script
    self.options = options
    if let step = script.traffic.first(where: {
      if case .readFeedback(_?) = $0.action { true } else { false }
    }) {
      throw CommandFailure(
        .badConfiguration,
        "connection \"\(step.connection)\" reads part of the feedback list: over a network the service sends all of it",
        hints: ["run this scenario without --listen, or use \"feedback: read\""]
      )
    }
    if let reason = script.lacksClient {
      throw CommandFailure(
        .badConfiguration,
        reason,
        hints: [
          "run this scenario without --listen; for a provider of your own, \"apnsim serve --scenario FILE\" serves it"
        ]
      )
    }
    let directory = try PKIDirectory.prepare(CertificateDirectoryOptions.path(options.certs))
    certificates = TrafficCertificates(directory: directory)
    do {
      keys = try TrafficKeys(script, directory)
    } catch let problem as TrafficKeys.Problem {
      throw CommandFailure(
        .badConfiguration,
        problem.description,
        hints: ["run this scenario without --listen"]
      )
    }
    var scenario = script.scenario
    var start = Timestamp.now
    if !script.traffic.isEmpty {
      start = ScenarioRunner.defaultStart
      if case .virtual(let chosen?) = scenario.clock { start = chosen }
      scenario.clock = .virtual(start: start)
    } else if case .virtual(let chosen?) = scenario.clock {
      start = chosen
    }
    self.start = start
    simulator = try Simulator(
      configuration: script.configuration,
      scenario: scenario,
      seed: seed ?? scenario.seed ?? ScenarioRunner.defaultSeed,
      start: start,
      tokenIssuer: try TokenAuthority(directory)
    )
    if let recorder { simulator.add(recorder) }
    var configuration = ServerConfiguration()
    configuration.listening.ephemeral = true
    configuration.listening.environment = .both
    configuration.files.endpoints = options.endpointsFile
    configuration.timing.drain = .milliseconds(500)
    var logger = Logger(label: "apnsim") { _ in LogLines(level: .error, style: .plain) }
    logger.logLevel = .error
    server = SimulatorServer(
      configuration: configuration,
      simulator: simulator,
      logger: logger,
      ServerAdditions(
        pki: directory,
        providerKeys: keys.entries.mapValues { ProviderKeyRing.Entry(key: $0.key, scope: $0.scope) }
      )
    )
  }

  func run() async throws -> ScenarioReport {
    do {
      let endpoints = try await server.start()
      self.endpoints = endpoints
      Output.note(
        "listening: gateway \(endpoints.host):\(endpoints.gatewayPort), "
          + "feedback \(endpoints.host):\(endpoints.feedbackPort)"
          + (endpoints.http2Port.map { ", http2 \(endpoints.host):\($0)" } ?? "")
      )
    } catch let error as ServerError {
      throw CommandFailure(error.kind == .write ? .cannotWrite : .runtimeError, error.description)
    }
    do {
      let deadline = ContinuousClock.now + (options.timeout ?? DurationArgument(seconds: 10)).duration
      try await play(until: deadline)
      let report = await finish(by: deadline)
      await end()
      return report
    } catch {
      await end()
      throw error
    }
  }

  private func end() async {
    for name in names { await players[name]?.close() }
    await server.stop()
  }

  // MARK: Playing

  private enum Part {
    case check(ScriptCheck)
    case step(TrafficStep)
  }

  private func play(until deadline: ContinuousClock.Instant) async throws {
    let checks = script.checks.compactMap { check in check.at.map { (at: $0, part: Part.check(check)) } }
    let steps = script.traffic.map { (at: $0.at, part: Part.step($0)) }
    let parts = (checks + steps).filter { $0.at <= script.duration }.enumerated()
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
    for (place, (at, part)) in parts.enumerated() {
      guard ContinuousClock.now < deadline else {
        failures.append(
          "time ran out: \(parts.count - place) of \(parts.count) steps and checks were not played (--timeout)"
        )
        return
      }
      try await move(to: start + at)
      switch part {
      case .check(let check): outcomes.append(await settled(check, by: deadline))
      case .step(let step): try await perform(step)
      }
    }
    if !script.traffic.isEmpty { try await move(to: start + script.duration) }
  }

  /// Lets simulated time pass, with a stop wherever something is due: what the server does then may make more due.
  private func move(to moment: Timestamp) async throws {
    while let due = simulator.nextDeadline, due <= moment { try await advance(to: due) }
    try await advance(to: moment)
  }

  /// Lets time go on for a server that was too busy to set its timers while it passed: they are for moments after the end.
  private func catchUp() async throws {
    guard !script.traffic.isEmpty, let due = simulator.nextDeadline,
      due <= start + script.duration + .seconds(1)
    else { return }
    try await advance(to: due)
  }

  private func advance(to moment: Timestamp) async throws {
    let span = moment - simulator.time(at: .now)
    guard span > .zero else { return simulator.wake(at: .now) }
    try server.perform(.advanceClock(span))
    await TrafficPlayer.settle(names.compactMap { players[$0] }, simulator, quiet: .milliseconds(40))
  }

  private func perform(_ step: TrafficStep) async throws {
    guard let provider = script.providers[step.connection], let endpoints else { return }
    let player: TrafficPlayer
    if let known = players[step.connection] {
      player = known
    } else {
      player = TrafficPlayer(name: step.connection, provider: provider, keys: keys)
      players[step.connection] = player
      names.append(step.connection)
      let context = try certificates.context(provider)
      try await player.connect(to: endpoints.host, port: endpoints.port(of: provider), context)
    }
    do {
      try await player.perform(step.action, simulator, at: .now)
    } catch let error as TrafficPlayer.NoToken {
      failures += error.descriptions
    }
    await TrafficPlayer.settle([player], simulator, quiet: .milliseconds(300))
  }

  // MARK: Looking

  /// Bytes on their way may still arrive, while simulated time stands still.
  private func settled(_ check: ScriptCheck, by deadline: ContinuousClock.Instant) async -> ScenarioOutcome {
    let end = min(deadline, .now + .seconds(2))
    var outcome = evaluate(check)
    while !outcome.isSatisfied, ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(10))
      outcome = evaluate(check)
    }
    return outcome
  }

  private func evaluate(_ check: ScriptCheck) -> ScenarioOutcome {
    switch check.subject {
    case .simulator(let expectation):
      let named = expectation.naming { self.players[$0]?.sight(simulator).id }
      return ScenarioOutcome(simulator.evaluate(named))
    case .connection(let name, let test):
      let sight = players[name]?.sight(simulator) ?? ObservedConnection(name: name)
      return ScenarioOutcome(check.text, test, sight, isRemote: true, at: simulator.time(at: .now))
    }
  }

  /// Waits until everything is as expected, or time is up.
  private func finish(by deadline: ContinuousClock.Instant) async -> ScenarioReport {
    let last = script.checks.filter { $0.at == nil }
    func areSatisfied() -> Bool { last.allSatisfy { evaluate($0).isSatisfied } }
    // Without traffic of its own, what holds from the beginning ("never") says nothing: others are waited for.
    let isLasting = script.traffic.isEmpty && areSatisfied()
    let patience = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < deadline, isLasting || !areSatisfied() {
      if outcomes.contains(where: { !$0.isSatisfied }) { break }
      try? await Task.sleep(for: .milliseconds(10))
      if ContinuousClock.now > patience { try? await catchUp() }
    }
    if script.traffic.isEmpty { try? await move(to: start + script.duration) }
    let timeline = simulator.expectationResults().map { ScenarioOutcome($0) }
    let timed = (timeline + outcomes).enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
    return ScenarioReport(
      name: script.scenario.name,
      seed: simulator.seed,
      start: start,
      end: simulator.time(at: .now),
      outcomes: timed + last.map { evaluate($0) },
      connections: names.compactMap { players[$0]?.sight(simulator) },
      failures: simulator.timelineFailures().map(\.description) + failures + script.unreached
    )
  }
}

extension Endpoints {
  /// The port of the listener for a provider's service and environment.
  fileprivate func port(of provider: TrafficProvider) -> Int {
    let isSandbox = provider.app.environment == .sandbox
    let gateway = isSandbox ? sandboxGatewayPort : gatewayPort
    let feedback = isSandbox ? sandboxFeedbackPort : feedbackPort
    let requests = isSandbox ? sandboxHTTP2Port : http2Port
    let port =
      switch provider.listener {
      case .feedback: feedback
      case .http2: requests
      case .gateway, .device: gateway
      }
    return port ?? 0
  }
}
