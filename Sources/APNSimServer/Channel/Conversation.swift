internal import APNSimCore

/// The simulator's side of one peer's connection, whichever service it came to.
protocol Conversation: AnyObject {
  var id: ConnectionID { get }
  /// What is unusual about the connection.
  var plan: ConnectionPlan { get }
  /// The TCP connection is gone.
  func closed(_ reason: ClosingReason, at now: Timestamp)
}

extension GatewayConnection: Conversation {}
extension FeedbackConnection: Conversation {}

extension DeviceConnection: Conversation {
  /// Faults are for providers.
  var plan: ConnectionPlan { .usual }
}
