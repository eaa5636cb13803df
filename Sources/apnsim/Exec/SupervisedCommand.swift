import APNSimScenario
import APNSimSystem
import CSupervisor
import Dispatch
import SystemPackage

/// One command under a supervisor process: when it is over, nothing it started is left, and when we are killed, so
/// is it.
///
/// Signals that come for us go to the command. Those that the terminal sends reach it by themselves, as it stays in
/// our process group; a second one within two seconds gives it one more second, then ends it with all its children.
struct SupervisedCommand {
  /// The end of a command.
  enum Ending: Sendable, Equatable {
    /// The exit code as a shell reports it: the command's own, or 128 and the number of the signal.
    case ended(Int32)
    /// The command could not be run.
    case notRun(Errno)
    /// Files could not be laid over the system's; the command has not run.
    case unprepared(Errno)
    /// Somebody killed the supervisor; the command is gone, too.
    case supervisorLost
  }

  private var supervisor: apnsim_supervisor

  /// Traps signals for the command from now on; before this they end the program as usual.
  static func trapSignals() throws(CommandFailure) {
    let error = apnsim_trap_signals()
    guard error == 0 else { throw failure("cannot handle signals", error) }
  }

  /// A signal that came before the command was started.
  static var pendingSignal: Int32? {
    let signal = apnsim_pending_signal()
    return signal > 0 ? signal : nil
  }

  /// Starts the command with our standard streams and the descriptors that we inherited.
  /// - Parameters:
  ///   - arguments: the program, looked for in the environment's `PATH`, and what it is told.
  ///   - overlays: what the command sees in the place of the system's files.
  ///   - scratch: a directory that is removed should we be killed.
  init(
    _ arguments: [String],
    environment: [String: String],
    overlays: [ApplesPlace.Overlay] = [],
    scratch: String? = nil
  ) throws(CommandFailure) {
    var started = apnsim_supervisor()
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let error = CStringList.with(arguments) { arguments in
      CStringList.with(variables) { variables in
        CStringList.with(overlays.map(\.source)) { sources in
          CStringList.with(overlays.map(\.target)) { targets in
            let pairs = overlays.indices.map { apnsim_overlay(source: sources[$0], target: targets[$0]) }
            return apnsim_supervise(arguments, variables, pairs, pairs.count, scratch, &started)
          }
        }
      }
    }
    guard error == 0 else { throw Self.failure("cannot start a process", error) }
    supervisor = started
  }

  /// Waits until it is over, and everything that it started with it.
  func end() async -> Ending {
    await withCheckedContinuation { continuation in
      // Waiting blocks a thread, which must be none of those that tasks share.
      DispatchQueue(label: "apnsim.exec").async { continuation.resume(returning: wait()) }
    }
  }

  private func wait() -> Ending {
    var supervisor = supervisor
    var ending = Ending.supervisorLost
    var report = apnsim_report()
    while apnsim_next_report(&supervisor, &report) == 1 {
      switch Int(report.kind) {
      case APNSIM_REPORT_FAILED: ending = .notRun(Errno(rawValue: report.value))
      case APNSIM_REPORT_UNPREPARED: ending = .unprepared(Errno(rawValue: report.value))
      case APNSIM_REPORT_ENDED: ending = .ended(report.value)
      default: break
      }
    }
    apnsim_join(&supervisor)
    return ending
  }

  private static func failure(_ what: String, _ error: Int32) -> CommandFailure {
    CommandFailure(.runtimeError, "\(what): \(Errno(rawValue: error).description)")
  }
}
