package import APNSimCore

/// One notification of a replay: what was decided now, beside what was recorded.
package struct ReplayedNotification: Sendable {
  /// The connection as the capture calls it.
  package var connection: ConnectionID
  package var verdict: NotificationVerdict
  /// What the recording simulator decided; nil in an imported capture.
  package var recorded: CapturedNotification?
  /// The bytes the gateway answers it with: nothing, or an error response.
  package var answer: [UInt8]
  /// Whether they leave later: after so many frames, or after so much time. A connection that ends before that is not
  /// answered.
  package var answerWaits = false
  /// Whether what was recorded can be held against it.
  package var isCompared = true

  /// Its number in the capture; in the replay where the capture has none.
  package var number: UInt64 { recorded?.number ?? verdict.number }

  /// Whether both came to the same, as far as they are compared.
  package var isSame: Bool {
    guard isCompared, let recorded else { return true }
    return recorded.outcome == verdict.outcome && recorded.status == verdict.status
  }
}

/// How the capture numbers the notifications of a replay. Kept are only the places where the two begin to count
/// differently, of very many the latest.
struct ReplayedNumbers {
  private struct Stretch {
    /// Its first notification in the replay, and in the capture.
    var replayed: UInt64
    var recorded: UInt64
  }

  private var stretches: [Stretch] = []
  private static let most = 1_000_000

  /// Takes the next notification of the replay.
  mutating func add(_ replayed: UInt64, recordedAs recorded: UInt64) {
    guard name(of: stretches.last, replayed) != recorded else { return }
    if stretches.count >= Self.most { stretches.removeFirst(Self.most / 2) }
    stretches.append(Stretch(replayed: replayed, recorded: recorded))
  }

  subscript(replayed: UInt64) -> UInt64 {
    let behind = stretches.partitioningIndex { $0.replayed > replayed }
    return name(of: behind > 0 ? stretches[behind - 1] : nil, replayed)
  }

  private func name(of stretch: Stretch?, _ replayed: UInt64) -> UInt64 {
    stretch.map { $0.recorded &+ (replayed &- $0.replayed) } ?? replayed
  }
}
