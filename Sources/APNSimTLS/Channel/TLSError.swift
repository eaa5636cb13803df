/// The reason why a TLS connection failed: one line for the log, and the facts.
package struct TLSError: Error, Sendable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// The peer connected and left without a byte (a port probe, a health check).
    case closedBeforeHandshake
    /// The connection ended or was reset in the middle of the handshake.
    case closedDuringHandshake
    case handshakeTimeout
    /// A plain HTTP request on a TLS port.
    case plainHTTP
    /// Unencrypted frames of the binary interface.
    case plainFrames
    /// Something else that is not TLS.
    case notTLS
    case unsupportedVersion
    case noSharedCipher
    /// The client showed no certificate.
    case noCertificate
    /// The peer's certificate was refused here; see ``TLSError/refusal``.
    case refusedCertificate
    /// The peer sent a fatal alert; see ``TLSError/alertReceived``.
    case refusedByPeer
    /// A record that cannot be decrypted.
    case damagedRecord
    /// The peer provokes answers of TLS itself and does not read them.
    case flood
    /// Anything else that breaks the rules of TLS.
    case protocolViolation
    /// The connection is closed for writing.
    case outputClosed
  }

  package var kind: Kind
  /// The reason in plain words: what was expected and what was found.
  package var reason: String
  package var duringHandshake: Bool
  /// The alert we sent, if any.
  package var alertSent: TLSAlert?
  /// The fatal alert the peer sent, if any.
  package var alertReceived: TLSAlert?
  /// The reason why the peer's certificate was refused.
  package var refusal: TLSRefusal?
  /// The peer's certificate, if the handshake got that far.
  package var peer: PeerCertificate?

  package init(_ kind: Kind, _ reason: String, duringHandshake: Bool) {
    self.kind = kind
    self.reason = reason
    self.duringHandshake = duringHandshake
  }

  package var description: String {
    var text = duringHandshake ? "TLS handshake failed: \(reason)" : "TLS failed: \(reason)"
    if let alertSent { text += "; sent alert \(alertSent)" }
    // If the peer refused, the certificate at fault is ours.
    if let peer, kind != .refusedByPeer { text += "; certificate \(peer.subject)" }
    return text
  }
}
