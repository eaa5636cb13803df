/// What a provider can be advised on: the habits Apple's texts ask for, and those they say are watched for.
package enum AdviceKind: UInt8, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// Connections that are opened and closed again in quick succession.
  case connectionChurn
  /// Sending on while tuples wait in a feedback list that nobody reads.
  case feedbackNotRead
  /// Sending to tokens that the feedback service has listed.
  case sentToListedToken
  /// Writing on long after an error response was sent.
  case errorIgnored
  /// Going on over a new connection without resending what an error cost.
  case discardedNotResent
  /// Many writes with a single notification in each.
  case oneNotificationPerWrite
  /// White space between the tokens of payloads.
  case payloadWhitespace
  /// An alert dictionary that has only `body`.
  case alertOnlyBody

  package enum Severity: String, Hashable, Sendable, CaseIterable {
    /// Notifications are lost or wasted, or Apple may refuse the provider.
    case warning
    /// It works, and could work better.
    case hint
  }
}

extension AdviceKind: CustomStringConvertible {
  /// The name of it in every answer.
  package var description: String {
    switch self {
    case .connectionChurn: "connectionChurn"
    case .feedbackNotRead: "feedbackNotRead"
    case .sentToListedToken: "sentToListedToken"
    case .errorIgnored: "errorIgnored"
    case .discardedNotResent: "discardedNotResent"
    case .oneNotificationPerWrite: "oneNotificationPerWrite"
    case .payloadWhitespace: "payloadWhitespace"
    case .alertOnlyBody: "alertOnlyBody"
    }
  }
}
