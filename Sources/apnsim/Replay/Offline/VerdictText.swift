import APNSimCapture
import APNSimCore

/// A notification's outcome in words: `rejected 5 (tokenSize)`.
enum VerdictText {
  /// The reason is the check that failed, or the rule or token that decided: `rejected 8 (magic token)`.
  static func of(_ verdict: NotificationVerdict) -> String {
    var reason = verdict.check == "rule" ? nil : verdict.check
    if reason == nil, verdict.rule > 0 { reason = "rule \(TerminalText.visible(verdict.ruleName))" }
    if reason == nil, verdict.isMagic { reason = "magic token" }
    return of(verdict.outcome, verdict.status, verdict.request?.answer, reason)
  }

  static func of(_ recorded: CapturedNotification) -> String {
    of(recorded.outcome, recorded.status, recorded.answer)
  }

  /// - Parameter answer: of a request, which has it in the place of the status: `rejected 410 Unregistered`.
  static func of(
    _ outcome: Outcome,
    _ status: UInt8,
    _ answer: RequestStatus?,
    _ reason: String? = nil
  ) -> String {
    var words = outcome.description
    if let answer { return "\(words) \(answer.text)" }
    if status > 0 { words += " \(status)" }
    if let reason { words += " (\(reason))" }
    return words
  }
}
