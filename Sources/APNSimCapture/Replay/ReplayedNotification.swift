package import APNSimCore

/// One notification of a replay, with the recorded verdict.
package struct ReplayedNotification: Sendable {
  /// The connection's number in the capture.
  package var connection: ConnectionID
  package var verdict: NotificationVerdict
  /// The recording simulator's verdict; nil in an imported capture.
  package var recorded: CapturedNotification?
  /// The gateway's answer: nothing, or an error response.
  package var answer: [UInt8]
  /// True where the answer is delayed by frames or by time. A connection that ends before that is not answered.
  package var answerWaits = false
  /// The fate of a request's stream, where that differs.
  package var stream: StreamDifference?
  /// True where the recorded verdict is comparable.
  package var isCompared = true

  /// The notification's number in the capture; in the replay where the capture has none.
  package var number: UInt64 { recorded?.number ?? verdict.number }

  /// True where both verdicts are the same, or are not compared.
  package var isSame: Bool {
    guard stream == nil else { return false }
    guard isCompared, let recorded else { return true }
    guard recorded.outcome == verdict.outcome else { return false }
    if let request = verdict.request { return request.answer == recorded.answer }
    return recorded.status == verdict.status
  }
}

/// Maps a replay's numbers of notifications to the capture's. Only the places where the two begin to differ are kept,
/// the latest of very many.
struct ReplayedNumbers {
  private struct Stretch {
    /// The numbers of its first notification in the replay and in the capture.
    var replayed: UInt64
    var recorded: UInt64
  }

  private var stretches: [Stretch] = []
  private static let most = 1_000_000

  /// Adds the next notification of the replay.
  mutating func add(_ replayed: UInt64, recordedAs recorded: UInt64) {
    guard name(of: stretches.last, replayed) != recorded else { return }
    if stretches.count >= Self.most { stretches.removeFirst(Self.most / 2) }
    stretches.append(Stretch(replayed: replayed, recorded: recorded))
  }

  subscript(replayed: UInt64) -> UInt64 {
    let later = stretches.partitioningIndex { $0.replayed > replayed }
    return name(of: later > 0 ? stretches[later - 1] : nil, replayed)
  }

  private func name(of stretch: Stretch?, _ replayed: UInt64) -> UInt64 {
    stretch.map { $0.recorded &+ (replayed &- $0.replayed) } ?? replayed
  }
}
