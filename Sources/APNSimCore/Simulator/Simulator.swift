internal import APNSimWire
internal import HeapModule
internal import Synchronization

/// A simulated push service: gateway, feedback service and devices, pure and deterministic.
///
/// Sockets, replay, scenarios and the control API all come in by the doors below. Each carries the wall time; under a
/// virtual clock it is ignored. The same seed, inputs and clock give the same journal, byte for byte.
///
/// It is safe to share: one lock guards the whole state, taken once per batch of frames.
public final class Simulator: @unchecked Sendable {
  public let configuration: Configuration
  public let seed: UInt64
  public let scenario: Scenario
  private let lock = Mutex(())
  private var world: World
  /// Changes when what a connection's judge was made from does.
  private let judgeVersion = Atomic<Int>(0)

  /// A simulator that starts from a scenario.
  /// - Parameters:
  ///   - start: the wall time, and where a virtual clock starts unless the scenario says.
  ///   - tokenIssuer: makes tokens for devices that are given none; from the seed when nil.
  /// - Throws: what in the scenario cannot be.
  public init(
    configuration: Configuration = Configuration(),
    scenario: Scenario = Scenario(),
    seed: UInt64,
    start: Timestamp,
    tokenIssuer: (any TokenIssuing)? = nil
  ) throws(CommandError) {
    self.configuration = configuration
    self.scenario = scenario
    self.seed = seed
    world = World(
      configuration: configuration,
      issuer: tokenIssuer ?? SeededTokenIssuer(seed: seed),
      clock: SimulationClock(scenario.clock, start: start),
      seed: seed,
      rules: RuleBook(scenario.rules, state: scenario.state)
    )
    for app in scenario.apps { _ = try world.appOrError(app) }
    for device in scenario.devices { try world.put(device) }
    for tuple in scenario.feedback { try world.add(tuple) }
    world.bundles = scenario.bundles
    world.timeline = scenario.timeline
    for (index, entry) in scenario.timeline.enumerated() {
      world.schedule(.timeline(index: index), at: world.start + entry.at)
    }
  }

  /// What is to be done on other connections than the one that called in, and who does it: outside the lock.
  private struct Elsewhere {
    var outlet: (any EffectOutlet)?
    var actions: [(ConnectionID, GatewayAction)]
    var reminders: [Reminder]
    var devices: [ConnectionID]
  }

  /// Runs `body` on the state at a wall time, after everything that was due before it.
  @discardableResult
  func enter<Result>(at wall: Timestamp, _ body: (inout World) -> Result) -> Result {
    let (result, elsewhere) = withWorld { world -> (Result, Elsewhere?) in
      world.arrive(at: wall)
      let result = body(&world)
      world.flushRecording()
      guard !world.outbox.isEmpty || !world.dueReminders.isEmpty || !world.deviceWakes.isEmpty else {
        return (result, nil)
      }
      defer { (world.outbox, world.dueReminders, world.deviceWakes) = ([], [], []) }
      let elsewhere = Elsewhere(
        outlet: world.outlet,
        actions: world.outbox,
        reminders: world.dueReminders,
        devices: world.deviceWakes
      )
      return (result, elsewhere)
    }
    if let elsewhere, let outlet = elsewhere.outlet {
      for (connection, action) in elsewhere.actions { outlet.perform(action, on: connection) }
      for reminder in elsewhere.reminders { outlet.remind(reminder) }
      for connection in elsewhere.devices { outlet.deviceHasOutput(connection) }
    }
    return result
  }

  /// Runs `body` on the state as it is.
  func withWorld<Result>(_ body: (inout World) -> Result) -> Result {
    var result: Result?
    lock.withLock { _ in result = body(&world) }
    return result.unsafelyUnwrapped
  }

  /// Carries out a command.
  /// - Throws: why it could not be; nothing has changed then.
  public func perform(_ command: Command, at now: Timestamp) throws(CommandError) {
    let failure: CommandError? = enter(at: now) { world in
      world.emit(.command(command))
      do throws(CommandError) {
        try world.perform(command)
        return nil
      } catch {
        world.emit(.commandFailed(error.description))
        return error
      }
    }
    judgeVersion.wrappingAdd(1, ordering: .releasing)
    if let failure { throw failure }
  }

  /// When `wake` is to be called next, as a wall time; nil when nothing is due or the clock stands still.
  package var nextWake: Timestamp? {
    withWorld { world in world.deadlines.min.flatMap { world.clock.wallTime(of: $0.at) } }
  }

  /// Lets time pass: what is due happens.
  package func wake(at now: Timestamp) { enter(at: now) { _ in } }

  /// The simulated time at a wall time.
  package func time(at now: Timestamp) -> Timestamp { enter(at: now) { $0.now } }

  /// A provider has connected to the gateway.
  /// - Throws: why it is turned away.
  package func openGateway(
    _ opening: ConnectionOpening,
    at now: Timestamp
  ) throws(TurnedAway) -> GatewayConnection {
    let version = judgeVersion.load(ordering: .acquiring)
    let opened: Result<(ConnectionRecord, FrameJudge), TurnedAway> = enter(at: now) { world in
      guard !world.refusesForChurn(opening) else { return .failure(.churn) }
      guard let record = world.open(.gateway, opening) else { return .failure(.noRoom) }
      return .success((record, FrameJudge(world.configuration, tokenSizes: world.devices.tokenSizes)))
    }
    let (record, judge) = try opened.get()
    return GatewayConnection(simulator: self, record: record, judge: judge, version: version)
  }

  /// A provider has connected to the feedback service.
  /// - Throws: why it is turned away.
  package func openFeedback(
    _ opening: ConnectionOpening,
    at now: Timestamp
  ) throws(TurnedAway) -> FeedbackConnection {
    guard let record = enter(at: now, { $0.open(.feedback, opening) }) else { throw .noRoom }
    return FeedbackConnection(
      simulator: self,
      record: record,
      holdsOpen: configuration.quirks.contains(.feedbackHoldOpen)
    )
  }

  /// A connection did not come to be: its certificate was refused, or it spoke something else.
  package func noteRefusedConnection(
    _ listener: Listener,
    peer: String,
    reason: String,
    subject: String,
    at now: Timestamp
  ) {
    enter(at: now) {
      $0.emit(.connectionRefused(listener, peer: peer, reason: reason, subject: subject))
    }
  }

  /// Writes the journal to a recorder from here on, a header first; what the history still holds comes along, as far
  /// as it has no gaps, and the header says where it begins.
  package func add(_ recorder: any JournalRecorder) {
    withWorld { world in
      let header = JournalHeader(
        seed: seed,
        start: world.start,
        isVirtual: world.clock.isVirtual,
        scenario: scenario,
        configuration: configuration,
        completeFrom: world.history.completeFrom,
        now: world.now
      )
      header.line.withUnsafeBytes { recorder.record($0) }
      world.startRecording(to: recorder)
    }
  }

  /// Stops writing to a recorder.
  package func remove(_ recorder: any JournalRecorder) {
    withWorld { world in world.recording.recorders.removeAll { $0 === recorder } }
  }

  /// Who performs actions that are due on connections by time or by command.
  package func setOutlet(_ outlet: (any EffectOutlet)?) { withWorld { $0.outlet = outlet } }

  /// A TCP connection has come in: its place among those of its listener, and how long its handshake waits.
  package func arrive(_ listener: Listener, at now: Timestamp) -> (ordinal: UInt32, acceptDelay: TimeSpan) {
    enter(at: now) { world in
      let ordinal = world.takeOrdinal(of: listener)
      return (ordinal, world.acceptDelay(listener, ordinal: ordinal))
    }
  }

  /// How a good certificate is to be refused in the handshake, if a script says so.
  package func refusal(
    _ listener: Listener,
    ordinal: UInt32,
    provider: ProviderIdentity,
    at now: Timestamp
  ) -> Fault.HandshakeRefusal? {
    enter(at: now) { $0.refusal(listener, ordinal: ordinal, provider: provider) }
  }

  /// Brings a connection's judge up to date.
  func renew(_ judge: inout FrameJudge) {
    judge = withWorld { FrameJudge($0.configuration, tokenSizes: $0.devices.tokenSizes) }
  }

  /// Brings a connection's judge up to date, if a command changed what it goes by.
  @inline(__always)
  func refresh(_ judge: inout FrameJudge, version: inout Int) {
    let current = judgeVersion.load(ordering: .acquiring)
    guard current != version else { return }
    judge = withWorld { FrameJudge($0.configuration, tokenSizes: $0.devices.tokenSizes) }
    version = current
  }
}
