import APNSimCapture
import APNSimControl
import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimState
import APNSimTLS
import APNSimWire
import Dispatch
import Logging
import Synchronization

/// The state of a served simulator that outlives the process: restored at the start, kept while it runs.
struct ServedState: Sendable {
  let keeper: StateKeeper
  let report: StateReport
  /// The seed with which it began.
  let seed: UInt64
  /// The duration of the start with it.
  private let duration: Duration
  /// The server whose timer is to be reconsidered once inputs are kept again.
  private let server: Holder

  private final class Holder: Sendable {
    private let held = Mutex<SimulatorServer?>(nil)

    func hold(_ server: SimulatorServer?) { held.withLock { $0 = server } }

    var server: SimulatorServer? { held.withLock { $0 } }
  }

  /// A directory that is locked for this process, and the seed of what is in it.
  struct Place: Sendable {
    let directory: StateDirectory
    let seed: UInt64

    /// - Parameter path: the directory, which is made where it is missing.
    /// - Throws: `StateFailure`.
    init(_ path: String, seed: UInt64?) throws {
      directory = try StateDirectory(path)
      // A run that is given no seed goes on with that of the state.
      self.seed = seed ?? directory.identity?["seed"].flatMap { UInt64($0) } ?? RunSettings.randomSeed
    }
  }

  /// Restores the state, or begins a new one. Nobody waits for the thread that does it.
  /// - Throws: `StateFailure`, or `CommandError` of a new simulator whose scenario cannot be.
  static func restore(
    _ place: Place,
    _ plan: ServePlan,
    certificates: PKIDirectory,
    progress: StateProgress,
    logger: Logger
  ) async throws -> (state: ServedState, simulator: Simulator) {
    let identity = StateIdentity(
      plan,
      seed: place.seed,
      tokenKey: try certificates.tokenKey(),
      before: place.directory.identity
    )
    var options = StateOptions()
    options.sync = plan.run.stateSync
    options.logSize = plan.run.stateLog
    options.mismatch = plan.run.stateMismatch
    options.programVersion = ProgramVersion.text
    let issuer = try TokenAuthority(certificates)
    let begun = ContinuousClock.now
    let holder = Holder()
    let opened = try await onThread { [options] in
      try StateKeeper.open(
        in: place.directory,
        identity: identity,
        options: options,
        StateBeginning(
          configuration: plan.configuration,
          scenario: plan.scenario,
          seed: place.seed,
          start: .now,
          tokenIssuer: issuer
        ),
        texts: WrittenTexts(),
        process: StateProcess(progress: progress) { note($0, holder.server, logger) }
      )
    }
    for remark in opened.report.remarks { logger.warning("\(remark)") }
    if !opened.report.removed.isEmpty {
      let differences = opened.report.removed.map(\.description).joined(separator: "; ")
      logger.notice("\(place.directory.path): the state that was there is removed: \(differences)")
    }
    let state = ServedState(opened.keeper, opened.report, seed: place.seed, .now - begun, holder)
    return (state, opened.simulator)
  }

  /// Runs what takes long on a thread of its own, which is none of those that tasks share.
  private static func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "apnsim.state").async {
        continuation.resume(with: Swift.Result { try body() })
      }
    }
  }

  private init(
    _ keeper: StateKeeper,
    _ report: StateReport,
    seed: UInt64,
    _ duration: Duration,
    _ server: Holder
  ) {
    (self.keeper, self.report, self.seed) = (keeper, report, seed)
    (self.duration, self.server) = (duration, server)
  }

  private static func note(_ notice: StateNotice, _ server: SimulatorServer?, _ logger: Logger) {
    if case .hasRoom = notice {
      logger.notice("\(notice)")
      // Time stood still meanwhile. What is told here may be told under the simulator's lock.
      DispatchQueue.global().async { server?.reconsiderTimer() }
    } else {
      logger.error("\(notice)")
    }
  }

  /// The beginning for the server.
  func beginning(_ run: RunSettings) -> DurableBeginning {
    DurableBeginning(
      isRestored: report.restored != nil,
      seed: seed,
      // New pseudonyms are not those of the file.
      continuesRecording: !run.redacts || run.redactKey != nil
    ) { [keeper] in
      keeper.start()
    }
  }

  /// Names the server, which is made with what ``beginning(_:)`` says.
  func isServed(by server: SimulatorServer) { self.server.hold(server) }

  /// Writes the last snapshot and gives the directory back, once nothing can come in any more.
  func close() {
    defer { server.hold(nil) }
    guard keeper.close() == nil, let error = keeper.status.lastError else { return }
    Output.note(
      "apnsim: warning: the last snapshot could not be written, and the log has everything: \(error)"
    )
  }

  /// `/var/lib/apnsim/state · 1,000,000 devices restored in 0.4 s (snapshot of 14:02, 81,233 inputs)`
  func line(deviceCount: Int, now: Timestamp = .now) -> String {
    let place = Banner.shown(keeper.status.directory)
    guard let restored = report.restored else { return "\(place) · new" }
    let (devices, inputs) = (Number.counted(deviceCount, "device"), Number.counted(restored.inputs, "input"))
    let snapshot = "snapshot of \(Self.time(restored.snapshotTime, now))"
    return "\(place) · \(devices) restored in \(Self.text(duration)) (\(snapshot), \(inputs))"
  }

  /// `14:02` of today, `2026-11-24 14:02` of another day, in UTC as in the log.
  private static func time(_ moment: Timestamp, _ now: Timestamp) -> String {
    let (text, today) = (moment.description, now.description)
    let time = text.dropFirst(11).prefix(5)
    return text.prefix(10) == today.prefix(10) ? String(time) : "\(text.prefix(10)) \(time)"
  }

  /// `0.4 s`, `12 ms`
  private static func text(_ duration: Duration) -> String {
    let milliseconds = duration / .milliseconds(1)
    guard milliseconds >= 100 else { return "\(Int(milliseconds.rounded(.up))) ms" }
    let tenths = Int((milliseconds / 100).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
