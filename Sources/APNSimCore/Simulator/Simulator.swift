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
      Setup(configuration, scenario, seed: seed, wall: start),
      issuer: tokenIssuer ?? SeededTokenIssuer(seed: seed),
      wall: start,
      history: History(limits: configuration.limits)
    )
    try world.populate()
  }

  /// The maker of tokens for devices that are given none.
  package var tokenIssuer: any TokenIssuing { withWorld { $0.issuer } }

  /// The seed of all randomness.
  public var seed: UInt64 { withWorld { $0.setup.seed } }

  /// The scenario of the last beginning.
  public var scenario: Scenario { withWorld { $0.setup.scenario } }

  /// Runs `body` on the state at a wall time, after everything that was due before it; performs its effects outside the
  /// lock.
  @discardableResult
  func enter<Result>(at wall: Timestamp, _ body: (inout World) -> Result) -> Result {
    let (result, effects) = withWorld { world -> (Result, Effects.Pending?) in
      let seq = world.history.nextSeq
      world.arrive(at: wall)
      let result = body(&world)
      if judgeVersion.load(ordering: .relaxed) != world.effects.judgeVersion {
        judgeVersion.store(world.effects.judgeVersion, ordering: .releasing)
      }
      world.flushRecording()
      world.wakeJournalWatchers(since: seq)
      guard !world.effects.isEmpty || world.waits.hasReports else { return (result, nil) }
      return (result, world.effects.take(world.waits.takeReports()))
    }
    effects?.perform()
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
    _ = try carryOut(command, at: now)
  }

  /// The result of a command.
  package struct CommandOutcome: Sendable {
    /// The rule that was added.
    package var rule: RuleView?
    /// The channel that was created.
    package var channel: ChannelView?
    /// The state that was replaced, to be let go of when nobody waits.
    package var replaced: ReplacedWorld?
  }

  /// Carries out a command.
  /// - Throws: why it could not be; nothing has changed then.
  package func carryOut(_ command: Command, at now: Timestamp) throws(CommandError) -> CommandOutcome {
    // Everybody waits for what is done under the lock: what takes long is done before, and let go of afterwards.
    let tried: Result<TriedBeginning, CommandError>? =
      if case .replaceScenario(let scenario) = command { tryOut(scenario, at: now) } else { nil }
    let result: Result<CommandOutcome, CommandError> = enter(at: now) { world in
      let wall = world.wallTime(for: command)
      world.emit(.command(command, wall: wall == world.now ? nil : wall))
      do throws(CommandError) {
        try world.perform(command, tried: tried)
        var outcome = CommandOutcome(replaced: world.effects.takeReplaced())
        if case .addRule = command {
          outcome.rule = world.book.order.first.map { world.book.view($0, at: world.now) }
        }
        if case .addChannel = command { outcome.channel = world.newestChannel }
        return .success(outcome)
      } catch {
        world.emit(.commandFailed(error.description))
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Tries whether a scenario could begin now. Nothing changes.
  /// - Returns: why it could not.
  package func check(_ scenario: Scenario, at now: Timestamp) -> CommandError? {
    do throws(CommandError) {
      let tried = try tryOut(scenario, at: now).get()
      let open = withWorld { $0.connections.open }
      try tried.makeRoom(for: open)
      return nil
    } catch {
      return error
    }
  }

  private func tryOut(_ scenario: Scenario, at now: Timestamp) -> Result<TriedBeginning, CommandError> {
    let (setup, issuer) = withWorld { ($0.setup, $0.issuer) }
    do throws(CommandError) {
      return .success(try TriedBeginning(setup.following(scenario, wall: now), issuer: issuer, wall: now))
    } catch {
      return .failure(error)
    }
  }

  /// When `wake` is to be called next, as a wall time; nil when nothing is due or the clock stands still.
  package var nextWake: Timestamp? {
    withWorld { $0.schedule.nextWake }
  }

  /// Lets time pass: what is due happens.
  package func wake(at now: Timestamp) { enter(at: now) { _ in } }

  /// The simulated time at a wall time.
  package func time(at now: Timestamp) -> Timestamp { enter(at: now) { $0.now } }

  /// Notes a connection that did not come to be: its certificate was refused, or it spoke something else.
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
  package func setOutlet(_ outlet: (any EffectOutlet)?) { withWorld { $0.effects.outlet = outlet } }

  /// Counts a TCP connection that has come in: its place among those of its listener, and how long its handshake waits.
  package func arrive(_ listener: Listener, at now: Timestamp) -> (ordinal: UInt32, acceptDelay: TimeSpan) {
    enter(at: now) { world in
      let ordinal = world.connections.takeOrdinal(of: listener)
      return (ordinal, world.acceptDelay(listener, ordinal: ordinal))
    }
  }

  /// Counts a connection that came in by another listener's port among those of this one.
  package func takeOrdinal(of listener: Listener, at now: Timestamp) -> UInt32 {
    enter(at: now) { $0.connections.takeOrdinal(of: listener) }
  }

  /// The way in which a good certificate is to be refused in the handshake, if a script says so.
  package func refusal(
    _ listener: Listener,
    ordinal: UInt32,
    provider: ProviderIdentity,
    at now: Timestamp
  ) -> Fault.HandshakeRefusal? {
    enter(at: now) { $0.refusal(listener, ordinal: ordinal, provider: provider) }
  }
}
