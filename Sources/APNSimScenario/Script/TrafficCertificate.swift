/// The certificate that a provider of a script shows.
///
/// Over a network it is a real one of that kind; without one the answer is what the gateway gives it.
package enum TrafficCertificate: String, CaseIterable, Hashable, Sendable {
  /// Signed by the simulator's CA, for the connection's topic and environment.
  case good
  /// On the revocation list.
  case revoked
  /// Its time is over.
  case expired
  /// Signed by a CA that nobody here knows.
  case foreign
  /// For the other of the two environments.
  case wrongEnvironment
  case none

  /// The alert with which the handshake is refused (RFC 5246, section 7.2); nil for a good one.
  package var alert: UInt8? {
    switch self {
    case .good: nil
    case .none: 40
    case .revoked: 44
    case .expired: 45
    case .wrongEnvironment: 46
    case .foreign: 48
    }
  }
}
