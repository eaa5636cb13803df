package import NIOCore

/// The options of a TLS listener.
package struct TLSServerOptions: Sendable {
  package var identity: TLSIdentitySource
  package var trust: TLSTrust
  /// True if a client without a certificate is refused (alert 40); otherwise it is asked for one and goes on without.
  package var requiresCertificate = true
  /// The protocols that are chosen where a client offers them (RFC 7301), the preferred one first. A client that offers
  /// others, or none, goes on without.
  package var applicationProtocols: [String] = []
  /// The lowest version. Below 1.2 the ciphers, key sizes and signatures of that time are accepted as well.
  package var minimum: TLSVersion = .v1_0
  /// The highest version. 1.2 keeps refusals of a certificate inside the handshake, where old clients expect them.
  /// With 1.3 no session tickets are sent, since old clients take them for an answer.
  package var maximum: TLSVersion = .v1_2
  /// The maximum time from connecting to the end of the handshake; `nil` for no limit.
  package var handshakeTimeout: TimeAmount? = .seconds(10)
  /// The time for which the input of a refused connection is discarded, so that the alert is not lost to a TCP reset.
  package var linger: TimeAmount = .seconds(1)
  /// A file to append the session secrets to, in the format of `SSLKEYLOGFILE` that Wireshark reads.
  package var keyLogFile: String?
  /// Called with one line about a problem that does not stop the server, such as a revocation list that became
  /// unreadable (the last good one stays in force).
  package var warn: @Sendable (String) -> Void = { _ in }

  package init(identity: TLSIdentitySource, trust: TLSTrust) {
    self.identity = identity
    self.trust = trust
  }
}

/// The provider certificates that a listener trusts.
package enum TLSTrust: Sendable, Hashable {
  /// Certificates signed by one of the CAs in these PEM files and not on a revocation list. CA and CRL
  /// files are read again when they change. An intermediate CA is enough. A CA without a list in
  /// `crlFiles` has revoked nothing; an outdated list still counts.
  case authority(caFiles: [String], crlFiles: [String])
  /// Any certificate: self-signed, expired, of an unknown CA. Its holder still has to prove that it has the private
  /// key.
  case anyCertificate
}
