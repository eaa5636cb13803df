public import APNSimCore
import APNSimSystem
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
import Synchronization
import SystemPackage

/// A simulator on the network: gateway and feedback service over TLS on real ports.
///
/// As a `Service` it runs until its group shuts down or its task is cancelled: then it stops accepting, answers what
/// it received, closes every connection in order and returns. `start` and `stop` are for embedding tests.
public final class SimulatorServer: Service {
  public let configuration: ServerConfiguration
  public let simulator: Simulator
  let log: ServerLog
  let additions: ServerAdditions
  /// The foundation of another server; nil to make its own.
  let foundation: ServerFoundation?
  /// The names of listeners that do not accept, not yet or not any more.
  private let unbound: Mutex<[String]>
  private let state = Mutex(State.idle)
  let served = ServedTimes()

  private enum State {
    case idle
    case starting
    case running(RunningServer)
    case stopped
  }

  /// Makes a server, which is not started yet.
  public convenience init(configuration: ServerConfiguration, simulator: Simulator, logger: Logger) {
    self.init(configuration: configuration, simulator: simulator, logger: logger, ServerAdditions())
  }

  package init(
    configuration: ServerConfiguration,
    simulator: Simulator,
    logger: Logger,
    _ additions: ServerAdditions
  ) {
    self.configuration = configuration
    self.simulator = simulator
    self.additions = additions
    foundation = nil
    log = ServerLog(logger)
    unbound = Mutex(configuration.plans.map(\.name))
  }

  /// Makes a server that shares certificates, TLS contexts and event loops with a running one, and ends before it.
  /// - Throws: `ServerError` if that one is not running.
  package init(
    sharing parent: SimulatorServer,
    configuration: ServerConfiguration,
    simulator: Simulator
  ) throws(ServerError) {
    guard let running = parent.running else {
      throw ServerError(kind: .state, description: "the server is not running")
    }
    self.configuration = configuration
    self.simulator = simulator
    additions = ServerAdditions(pki: running.foundation.pki)
    foundation = running.foundation
    log = parent.log
    unbound = Mutex(configuration.plans.map(\.name))
  }

  /// The addresses of the server; nil unless it is running.
  public var endpoints: Endpoints? { running?.endpoints }

  /// The names of the listeners that do not accept connections: none while the server runs.
  package var missing: [String] { unbound.withLock { $0 } }

  func isBound(_ name: String) { unbound.withLock { names in names.removeAll { $0 == name } } }

  /// The times that requests took to be answered, since the last reset.
  package var servedTimes: DurationCounts { served.counts }

  /// The bytes that peers make all servers of the process hold, and the connections that ended because there was no room.
  package static var held: (bytes: Int, refusals: Int) { (HeldMemory.count, HeldMemory.refusals) }

  /// True once it has stopped, or has begun to.
  var isStopped: Bool {
    state.withLock { state in
      guard case .stopped = state else { return false }
      return true
    }
  }

  private var running: RunningServer? {
    state.withLock { state in
      guard case .running(let running) = state else { return nil }
      return running
    }
  }

  /// Binds every listener and writes the endpoints file. A running server just returns its endpoints.
  /// - Throws: `ServerConfigurationError`, `ServerError` or `TLSSetupError`, or `CancellationError` if it was
  ///   cancelled while the pipe for its endpoints or its journal had no reader; nothing is left open then.
  @discardableResult
  public func start() async throws -> Endpoints {
    if let running { return running.endpoints }
    let isFirst = state.withLock { state in
      guard case .idle = state else { return false }
      state = .starting
      return true
    }
    guard isFirst else { throw ServerError(kind: .state, description: "this server was already started") }
    do {
      let running = try await RunningServer.start(self)
      state.withLock { $0 = .running(running) }
      return running.endpoints
    } catch {
      state.withLock { $0 = .stopped }
      throw error
    }
  }

  /// Runs until graceful shutdown or cancellation.
  public func run() async throws {
    do { try await start() } catch is CancellationError { return }
    // Cancellation and graceful shutdown are handled alike.
    try? await gracefulShutdown()
    await stop()
  }

  /// Stops accepting, answers what was received within the time to drain, closes everything.
  public func stop() async {
    let running: RunningServer? = state.withLock { state in
      guard case .running(let running) = state else { return nil }
      state = .stopped
      return running
    }
    unbound.withLock { $0 = configuration.plans.map(\.name) }
    await running?.stop(self)
  }

  /// Continues the recording in a new file under the same name, where the present one has lost it, as by a rotation.
  /// Writes what waits for the present one, which may take a while.
  package func reopenRecording() { running?.reopenRecording(self) }

  /// True if SIGHUP continues the recording in a new file instead of ending the process: there is a recording to a
  /// file, and no terminal that the signal could come from.
  package var reopensRecording: Bool {
    configuration.files.record.map { RecordingPlace.canBeReopened($0) && !ThisProcess.hasControllingTerminal }
      ?? false
  }

  /// True for an error of `accept` that means that descriptors or memory are used up.
  package static func isExhaustion(_ code: CInt) -> Bool { Errno(rawValue: code).isExhaustion }

  /// Writes a warning about a limit that peers reach, as often as the log has room for.
  package func noteLimit(_ line: String) { log.write(.limit, level: .warning, line) }

  /// Writes a warning to the log.
  package func note(_ line: String) { log.say(.warning, line) }

  /// The wall time, which every input carries.
  package var wallTime: Timestamp { additions.recordedTime?() ?? WallClock.now() }

  /// The simulator's clock at this moment.
  package var clock: Simulator.ClockView { simulator.clock(at: wallTime) }

  /// Reconsiders the timer for what an input that came by no listener has made due later.
  package func reconsiderTimer() { running?.wakeTimer.reconsider() }

  /// Carries out a command now, and reconsiders the timer for what it makes due later.
  /// - Throws: `CommandError` if it could not be carried out; nothing has changed then.
  public func perform(_ command: Command) throws(CommandError) { _ = try carryOut(command) }

  /// Carries out a command and returns the rule that it added, if any.
  @discardableResult
  package func carryOut(_ command: Command) throws(CommandError) -> RuleView? {
    try outcome(of: command).rule
  }

  /// Carries out a command and returns what it added.
  package func outcome(of command: Command) throws(CommandError) -> Simulator.CommandOutcome {
    var outcome = try simulator.carryOut(command, at: wallTime)
    running?.wakeTimer.reconsider()
    if let replaced = outcome.replaced.take() {
      served.reset()
      ReleaseThread.letGo(of: replaced)
    }
    switch command {
    case .reset, .replaceScenario, .clearHistory: if additions.durable != nil { running?.settleRecording() }
    default: break
    }
    return outcome
  }
}
