import APNSimWire
import Synchronization

/// A simulated push service: gateway, feedback service and devices, pure and deterministic.
///
/// Sockets, replay, scenarios and the control API all come in by the doors below. Each carries the wall time; under a
/// virtual clock it is ignored. The same seed, inputs and clock give the same journal, byte for byte.
///
/// It is safe to share: one lock guards the whole state, taken once per batch of frames.
public final class Simulator: @unchecked Sendable {
  /// The configuration at the start; a scenario that came later may have changed what its settings can.
  public let configuration: Configuration
  /// The clock at the start, and its beginning; nil where nobody said one.
  package let initialClock: ClockSetting?
  private let lock = Mutex(())
  private var world: World
  /// The world's version of what frames are judged by, for connections that look without the lock.
  let judgeVersion = Atomic<Int>(0)
  /// The log that keeps the inputs, where there is one; guarded by the lock, as the state is.
  private var keeper: InputKeeper?

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
    initialClock =
      if case .virtual(nil)? = scenario.clock { .virtual(start: start) } else { scenario.clock }
    world = World(
      Setup(configuration, scenario, seed: seed, issuer: tokenIssuer, wall: start),
      wall: start,
      history: History(limits: configuration.limits)
    )
    try world.populate()
  }

  /// - Parameter world: a state that was kept.
  init(_ world: consuming World, configuration: Configuration, scenario: Scenario) {
    self.configuration = configuration
    initialClock =
      if case .virtual(nil)? = scenario.clock { .virtual(start: world.setup.start) } else { scenario.clock }
    self.world = world
  }

  /// The maker of tokens for devices that are given none.
  package var tokenIssuer: any TokenIssuing { withWorld { $0.setup.issuer } }

  /// The seed of all randomness.
  public var seed: UInt64 { withWorld { $0.setup.seed } }

  /// The scenario of the last beginning.
  public var scenario: Scenario { withWorld { $0.setup.scenario } }

  /// Carries out an input at a wall time, after everything that was due before it; performs its effects outside the
  /// lock. Where inputs are kept, it is kept first.
  @inline(__always)
  @discardableResult
  func submit<Submitted: Input>(_ input: inout Submitted, at wall: Timestamp) -> Submitted.Outcome {
    enter(at: wall) { world in
      guard keeper != nil else { return input.idleOutcome(in: &world) ?? input.apply(to: &world) }
      return applyKept(&input, to: &world)
    }
  }

  @discardableResult
  func submit<Submitted: Input>(_ input: Submitted, at wall: Timestamp) -> Submitted.Outcome {
    var input = input
    return submit(&input, at: wall)
  }

  /// Carries out an input that is kept first. One that finds no room is refused, or happens and leaves a gap.
  @discardableResult
  func applyKept<Submitted: Input>(_ input: inout Submitted, to world: inout World) -> Submitted.Outcome {
    if let outcome = input.idleOutcome(in: &world) { return outcome }
    guard input.matters else { return input.apply(to: &world) }
    if keeper?.keep(input, at: world.clock.wall) == false {
      let seq = world.history.nextSeq
      let refusal = input.refusal(in: &world)
      if refusal == nil || world.history.nextSeq != seq { keeper?.log.noteGap() }
      if let refusal { return refusal }
    }
    return input.apply(to: &world)
  }

  /// Runs `body` on the state at a wall time, after everything that was due before it; performs its effects outside the
  /// lock.
  @discardableResult
  private func enter<Result>(at wall: Timestamp, _ body: (inout World) -> Result) -> Result {
    let (result, effects) = withWorld { world -> (Result, Effects.Pending?) in
      let seq = world.history.nextSeq
      pass(to: wall, &world)
      let result = body(&world)
      return (result, settle(&world, since: seq))
    }
    effects?.perform()
    return result
  }

  /// Brings the clock to a wall time, through everything that is due on the way. While nothing can be kept, time stands
  /// still.
  @inline(__always)
  private func pass(to wall: Timestamp, _ world: inout World) {
    guard keeper != nil else { return world.arrive(at: wall) }
    guard keeper?.isSuspended == false, let target = world.schedule.arrive(at: wall) else { return }
    guard keeper?.keep(Tick(), at: world.clock.wall) == true else { return world.schedule.stay() }
    world.runDeadlines(until: target)
  }

  /// The work after an input has happened: recorders and watchers hear of it.
  @inline(__always)
  func settle(_ world: inout World, since seq: UInt64) -> Effects.Pending? {
    if judgeVersion.load(ordering: .relaxed) != world.effects.judgeVersion {
      judgeVersion.store(world.effects.judgeVersion, ordering: .releasing)
    }
    world.flushRecording()
    world.wakeJournalWatchers(since: seq)
    guard !world.effects.isEmpty || world.waits.hasReports else { return nil }
    return world.effects.take(world.waits.takeReports())
  }

  /// Runs `body`, which changes nothing that is kept, on the state at a wall time.
  @discardableResult
  func look<Result>(at wall: Timestamp, _ body: (inout World) -> Result) -> Result { enter(at: wall, body) }

  /// Runs `body` on the state as it is.
  func withWorld<Result>(_ body: (inout World) -> Result) -> Result {
    var result: Result?
    lock.withLock { _ in result = body(&world) }
    return result.unsafelyUnwrapped
  }

  /// Carries out a command.
  /// - Throws: why it could not be; nothing has changed then.
  public func perform(_ command: Command, at now: Timestamp) throws(CommandError) {
    _ = try carryOut(command, at: now)
  }

  /// Carries out a command.
  /// - Throws: why it could not be; nothing has changed then.
  package func carryOut(_ command: Command, at now: Timestamp) throws(CommandError) -> CommandOutcome {
    // Everybody waits for what is done under the lock: what takes long is done before, and let go of afterwards.
    var input = CommandInput(command, prepare(for: command, at: now))
    if keepsInputs { input.encode() }
    let result = submit(&input, at: now)
    return try result.get()
  }

  /// Tries whether a scenario could begin now. Nothing changes.
  /// - Returns: why it could not.
  package func check(_ scenario: Scenario, at now: Timestamp) -> CommandError? {
    do throws(CommandError) {
      let prepared = try prepare(at: now) { (setup) throws(CommandError) in
        try setup.following(scenario, wall: now)
      }.get()
      let open = withWorld { $0.connections.open }
      try prepared.makeRoom(for: open)
      return nil
    } catch {
      return error
    }
  }

  /// Prepares the beginning that a command is; nil for any other.
  private func prepare(for command: Command, at now: Timestamp) -> Result<PreparedBeginning, CommandError>? {
    switch command {
    case .reset: prepare(at: now) { $0.again(wall: now) }
    case .replaceScenario(let scenario):
      prepare(at: now) { (setup) throws(CommandError) in try setup.following(scenario, wall: now) }
    default: nil
    }
  }

  /// Makes a beginning beside the state.
  /// - Parameter next: its setup, by the present one.
  private func prepare(
    at now: Timestamp,
    _ next: (Setup) throws(CommandError) -> Setup
  ) -> Result<PreparedBeginning, CommandError> {
    let (setup, isRecorded) = withWorld { ($0.setup, $0.feed.isRecording) }
    do throws(CommandError) {
      return .success(try PreparedBeginning(next(setup), wall: now, isRecorded: isRecorded))
    } catch {
      return .failure(error)
    }
  }

  /// When `wake` is to be called next, as a wall time; nil when nothing is due or the clock stands still.
  package var nextWake: Timestamp? {
    withWorld { keeper?.isSuspended == true ? nil : $0.schedule.nextWake }
  }

  /// Lets time pass: what is due happens.
  package func wake(at now: Timestamp) { look(at: now) { _ in } }

  /// The simulated time at a wall time.
  package func time(at now: Timestamp) -> Timestamp { look(at: now) { $0.now } }

  /// Notes a connection that did not come to be: its certificate was refused, or it spoke something else.
  package func noteRefusedConnection(
    _ listener: Listener,
    peer: String,
    reason: String,
    subject: String,
    at now: Timestamp
  ) {
    submit(RefusedConnection(listener: listener, peer: peer, reason: reason, subject: subject), at: now)
  }

  /// Writes the journal to a recorder from here on, a header first; what the history still holds comes along, as far
  /// as it has no gaps, and the header says where it begins.
  package func add(_ recorder: any JournalRecorder) {
    withWorld { world in
      world.journalHeader.withUnsafeBytes { recorder.record($0) }
      world.startRecording(to: recorder)
    }
  }

  /// Writes to `next` in place of a recorder: every line is in one of the two, and the header of the second says that
  /// it continues.
  /// - Parameter end: called in between, under the lock.
  /// - Returns: the sequence number with which the second begins; nil if nothing was being written to the first.
  package func replace(
    _ recorder: any JournalRecorder,
    with next: any JournalRecorder,
    _ end: () -> Void
  ) -> UInt64? {
    withWorld { world in
      world.flushRecording()
      guard world.feed.replace(recorder, with: next) else { return nil }
      end()
      world.continuedHeader.withUnsafeBytes { next.record($0) }
      return world.history.nextSeq
    }
  }

  /// Stops writing to a recorder.
  package func remove(_ recorder: any JournalRecorder) {
    withWorld { $0.feed.remove(recorder) }
  }

  /// Chooses who performs actions that are due on connections by time or by command.
  package func setOutlet(_ outlet: (any EffectOutlet)?) { withWorld { $0.effects.choose(outlet) } }

  /// Counts a TCP connection that has come in: its place among those of its listener, and how long its handshake waits.
  package func arrive(_ listener: Listener, at now: Timestamp) -> (ordinal: UInt32, acceptDelay: TimeSpan) {
    submit(ConnectionArrival(listener: listener), at: now)
  }

  /// Counts a connection that came in by another listener's port among those of this one.
  package func takeOrdinal(of listener: Listener, at now: Timestamp) -> UInt32 {
    submit(OrdinalTaking(listener: listener), at: now)
  }

  /// The way in which a good certificate is to be refused in the handshake, if a script says so.
  package func refusal(
    _ listener: Listener,
    ordinal: UInt32,
    provider: ProviderIdentity,
    at now: Timestamp
  ) -> Fault.HandshakeRefusal? {
    submit(CertificateShowing(listener: listener, ordinal: ordinal, provider: provider), at: now)
  }

  // MARK: Keeping

  /// True where every input is kept.
  package var keepsInputs: Bool { withWorld { _ in keeper != nil } }

  /// Keeps every input from here on; nil ends that.
  package func keep(in log: (any InputLog)?) { withWorld { _ in keeper = log.map { InputKeeper($0) } } }

  /// True while nothing is taken in because nothing can be kept.
  package var isSuspended: Bool { withWorld { _ in keeper?.isSuspended == true } }

  /// Takes nothing in until ``resume()``.
  package func suspend() { withWorld { _ in keeper?.suspend() } }

  /// Takes in again what comes, where a condition holds under the lock. What was due meanwhile happens with the next
  /// input.
  /// - Returns: what the condition was.
  @discardableResult
  package func resume(if isReady: () -> Bool = { true }) -> Bool {
    withWorld { _ in
      guard isReady() else { return false }
      keeper?.resume()
      return true
    }
  }
}
