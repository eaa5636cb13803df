import APNSimCapture
import APNSimCore
import APNSimProvider
import APNSimScenario
import Synchronization

/// `apnsim replay FILE --to HOST:PORT`: plays the capture and says what came of it.
struct NetworkReplayRun {
  let options: NetworkReplayOptions
  let output: OutputOptions

  /// - Throws: `CommandFailure`, with status 1 when something else came back than in the capture.
  func run(_ path: String) async throws {
    let listeners = try Self.listeners(path)
    guard let targets = try options.targets(listeners, ProcessVariables.all) else { return }
    if let note = targets.note(listeners) { Output.note("note: \(note)") }
    let progress = CaptureProgress([path])
    defer { progress.finish() }
    var settings = NetworkReplay.Options()
    settings.pace = options.speed ?? .asCaptured
    settings.isJoined = options.isJoined
    settings.patience = (options.timeout ?? .usual).duration
    settings.hints = Self.hints
    settings.progress = { progress.update($0, of: path) }
    guard let report = try await Self.play(path, to: targets, settings) else { return }
    progress.finish()
    for note in report.notes { Output.note(note.hasPrefix("hint: ") ? note : "note: \(note)") }
    try report.write(report.differences, output)
    if !report.differences.isEmpty { throw CommandFailure.quiet(.failed) }
    if report.stoppedAfter != nil { throw CommandFailure.quiet(.runtimeError) }
  }

  /// Plays until the end, or until Ctrl-C; the comparison so far is reported then.
  private static func play(
    _ path: String,
    to targets: NetworkReplayOptions.Targets,
    _ settings: NetworkReplay.Options
  ) async throws -> NetworkReplayReport? {
    let result = Mutex<NetworkReplayReport?>(nil)
    _ = try await Interruption.race {
      let reader: CaptureReader
      do throws(CaptureFailure) {
        reader = try CaptureReader(path: path)
      } catch {
        throw CommandFailure(error)
      }
      var replay = NetworkReplay(
        gateway: targets.gateway,
        feedback: targets.feedback,
        requests: targets.requests,
        settings
      )
      do {
        let report = try await replay.run(reader)
        result.withLock { $0 = report }
      } catch let failure as ProviderFailure {
        throw CommandFailure(failure, flags: flags(targets.gateway == nil ? .http2 : .gateway))
      } catch let failure as ReplayTokenFailure {
        let hint = "--auth-key AuthKey_<ID>.p8 names one; --certs DIR says where the simulator's is"
        throw CommandFailure(.badConfiguration, failure.description, hints: [hint])
      }
    }
    return result.withLock { $0 }
  }

  /// The listeners of the capture's connections; nil for one that can be read only once.
  private static func listeners(_ path: String) throws(CommandFailure) -> Set<Listener>? {
    guard CaptureReader.canBeReread(path) else { return nil }
    do throws(CaptureFailure) {
      return try CaptureReader(path: path).listeners()
    } catch {
      throw CommandFailure(error)
    }
  }

  private static func hints(_ failure: ProviderFailure, _ listener: Listener, _ isFirst: Bool) -> [String] {
    // Once a gateway has accepted a connection, address and certificate are right.
    var hints =
      isFirst || !failure.isRefusal ? CommandFailure(failure, flags: flags(listener)).hints : []
    if listener == .feedback { hints.append("--no-feedback leaves out captured feedback connections") }
    return hints
  }

  private static func flags(_ listener: Listener) -> String {
    listener == .feedback ? "--feedback-to HOST:PORT says" : "--to HOST:PORT says"
  }
}
