/// Performs actions on connections that did not ask: a delayed error response, an idle connection's end.
///
/// It is called outside the simulator's lock, from whatever thread moved the time.
package protocol EffectOutlet: AnyObject, Sendable {
  func perform(_ action: GatewayAction, on connection: ConnectionID)
  /// A moment that was waited for has come.
  func remind(_ reminder: Reminder)
  /// An operator ends a connection.
  func end(_ connection: ConnectionID, _ how: ConnectionEnding)
  /// A device's connection has lines to send, after it had none.
  func deviceHasOutput(_ connection: ConnectionID)
}

extension EffectOutlet {
  package func end(_ connection: ConnectionID, _ how: ConnectionEnding) {}
  package func remind(_ reminder: Reminder) {}
  package func deviceHasOutput(_ connection: ConnectionID) {}
}
