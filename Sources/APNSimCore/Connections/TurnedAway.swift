/// Why a provider with a good certificate is turned away after its handshake. It is in the journal already.
package enum TurnedAway: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no room for another app.
  case noRoom
  /// The provider connects and disconnects too often, and `enforce` is on. "Rapidly and repeatedly established and
  /// torn down" connections may count as a denial of service (Programming Guide, "Provider Communication").
  case churn

  package var description: String {
    switch self {
    case .noRoom: "there is no room for another app than those already known"
    case .churn: "it connects and disconnects too often, which --enforce refuses until it has been quiet"
    }
  }
}
