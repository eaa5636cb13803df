import APNSimCapture
import APNSimCore
import APNSimProvider
import APNSimScenario
import Foundation
import Synchronization

/// `apnsim replay FILE --to HOST:PORT`: plays the capture and says what came of it.
struct NetworkReplayRun {
  let options: NetworkReplayOptions
  let output: OutputOptions

  /// - Throws: `CommandFailure`, with status 1 when something else came back than in the capture.
  func run(_ path: String) async throws {
    guard let (gateway, feedback) = try options.targets(ProcessInfo.processInfo.environment) else { return }
    let progress = CaptureProgress([path])
    defer { progress.finish() }
    var settings = NetworkReplay.Options()
    settings.pace = options.speed ?? .asCaptured
    settings.isJoined = options.isJoined
    settings.patience = (options.timeout ?? .usual).duration
    settings.hints = Self.hints
    settings.progress = { progress.update($0, of: path) }
    guard let report = try await Self.play(path, to: gateway, feedback, settings) else { return }
    progress.finish()
    for note in report.notes { Output.note(note.hasPrefix("hint: ") ? note : "note: \(note)") }
    if output.isJSON { Output.line(report.json) } else { Output.lines(report.lines) }
    if !report.differences.isEmpty { throw CommandFailure.quiet(.failed) }
    if report.stoppedAfter != nil { throw CommandFailure.quiet(.runtimeError) }
  }

  /// Plays until the end, or until Ctrl-C; the comparison so far is reported then.
  private static func play(
    _ path: String,
    to gateway: ProviderTarget,
    _ feedback: ProviderTarget?,
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
      var replay = NetworkReplay(gateway: gateway, feedback: feedback, settings)
      do {
        let report = try await replay.run(reader)
        result.withLock { $0 = report }
      } catch let failure as ProviderFailure {
        throw CommandFailure(failure, flags: flags(.gateway))
      }
    }
    return result.withLock { $0 }
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
