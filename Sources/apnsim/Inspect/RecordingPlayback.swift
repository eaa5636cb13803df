import APNSimCapture
import APNSimControl
import APNSimCore
import APNSimWire
import Dispatch

/// Plays a recording into the simulator that shows it, on a thread of its own, while the control API answers.
final class RecordingPlayback: @unchecked Sendable {
  let simulator: Simulator
  let recording: ShownRecording
  // Used by the one thread that plays.
  private let replay: Replay
  private let bar: CaptureProgress

  /// - Parameters:
  ///   - replay: the replay, at its beginning.
  ///   - captures: the files that it plays.
  ///   - names: what they are called for people, where they were imported.
  init(_ replay: Replay, of captures: [String], shownAs names: [String]) {
    self.replay = replay
    simulator = replay.simulator
    recording = ShownRecording(names)
    bar = CaptureProgress(captures)
  }

  /// Plays to the end of the recording, or of one of its parts. No time passes any more then.
  /// - Returns: what is to be known about it.
  /// - Throws: where there is no such part, or the task was cancelled: nobody waits for a pipe that has no more.
  func run(part: Int?) async throws -> [String] {
    let (ends, end) = AsyncThrowingStream.makeStream(of: [String].self)
    DispatchQueue(label: "apnsim playback").async {
      do {
        end.yield(try self.play(part: part))
        end.finish()
      } catch {
        end.finish(throwing: error)
      }
    }
    for try await notes in ends { return notes }
    throw CancellationError()
  }

  private func play(part: Int?) throws -> [String] {
    let result = replay.run(
      progress: { [bar, recording, reader = replay.reader] share in
        bar.update(share, of: reader.path)
        recording.reaches(bar.share)
      },
      isEnough: { Interruption.hasCome }
    )
    bar.finish()
    guard !Interruption.hasCome else { throw CancellationError() }
    let notes = try notes(result, part)
    try simulator.perform(.freezeClock, at: simulator.lastWall)
    recording.ends(notes)
    return notes
  }

  private func notes(_ result: ReplayResult, _ part: Int?) throws -> [String] {
    var notes: [String] = []
    if let damage = result.damage { notes.append("\(damage); everything before it is shown") }
    if let gaps = result.gaps.text, let first = result.gaps.places.first {
      notes.append("\(replay.reader.gapPath ?? replay.reader.path):\(first.line): \(gaps)")
    }
    let shown = result.endedParts + 1
    if let part, part > shown {
      throw CommandFailure(.usage, "--part: expected a number from 1 to \(shown), found \(part)")
    }
    if result.endedParts > 0 {
      let before = Number.counted(Int(clamping: result.notificationsOfEndedParts), "notification")
      notes.append(
        "part \(shown) of the recording; \(before) came before the last reset or new scenario "
          + "(--part 1 to \(result.endedParts) shows them)"
      )
    }
    return notes
  }

  /// `6 notifications, 2012-06-01T00:00:00.000Z to 2012-06-01T00:10:00.000Z`
  var summary: String {
    let count = Number.counted(simulator.numbers.count, "notification")
    guard let span = simulator.historySpan else { return count }
    return "\(count), \(span.first) to \(span.last)"
  }
}
