package import NIOCore

/// The options of a TLS client, such as `apnsim send`.
package struct TLSClientOptions: Sendable {
  /// The servers that a client trusts.
  package enum ServerTrust: Sendable, Hashable {
    /// Servers with a certificate of a CA in these PEM files.
    case authority(caFiles: [String])
    /// Servers with a certificate of a CA that this machine trusts.
    case system
    /// Any server (`--insecure`).
    case anyServer
  }

  /// The client's certificate; `nil` for none.
  package var identity: TLSIdentitySource?
  package var trust: ServerTrust
  package var minimum: TLSVersion = .v1_0
  package var maximum: TLSVersion = .v1_3
  /// The protocols that ALPN offers, the preferred one first; empty for no ALPN.
  package var applicationProtocols: [String] = []
  /// Ciphers for TLS up to 1.2 in OpenSSL's notation; `nil` = all but anonymous ones.
  package var cipherList: String?
  package var handshakeTimeout: TimeAmount? = .seconds(10)
  package var linger: TimeAmount = .zero
  /// See ``TLSServerOptions/keyLogFile``.
  package var keyLogFile: String?

  package init(identity: TLSIdentitySource? = nil, trust: ServerTrust) {
    self.identity = identity
    self.trust = trust
  }
}
