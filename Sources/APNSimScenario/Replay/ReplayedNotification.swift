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

  /// Its number in the capture; in the replay where the capture has none.
  package var number: UInt64 { recorded?.number ?? verdict.number }

  /// Whether both came to the same.
  package var isSame: Bool {
    recorded.map { $0.outcome == verdict.outcome && $0.status == verdict.status } ?? true
  }
}
