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
