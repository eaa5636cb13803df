/// How an operator ends a connection.
public enum ConnectionEnding: String, Hashable, Sendable, CaseIterable {
  /// close_notify and FIN.
  case finish = "fin"
  /// A TCP reset.
  case reset = "rst"
  /// Gateway: an error response with status 10 and the last accepted identifier, then as after an error.
  case shutdown
}
