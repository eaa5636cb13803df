package import NIOCore

/// What a TLS listener is made of. A client that shows no certificate has no connection (alert 40).
package struct TLSServerOptions: Sendable {
  package var identity: TLSIdentitySource
  package var trust: TLSTrust
  /// Below 1.2 also the ciphers, key sizes and signatures of that time are accepted.
  package var minimum: TLSVersion = .v1_0
  /// 1.2 keeps refusals of a certificate inside the handshake, where old clients expect them. With 1.3 no
  /// session tickets are sent, since old clients take them for an answer.
  package var maximum: TLSVersion = .v1_2
  /// How long a peer may take from connecting to the end of the handshake; `nil` = for ever.
  package var handshakeTimeout: TimeAmount? = .seconds(10)
  /// How long a refused connection is read and discarded, so that the alert is not lost to a TCP reset.
  package var linger: TimeAmount = .seconds(1)
  /// A file to append the session secrets to, in the format of `SSLKEYLOGFILE` that Wireshark reads.
  package var keyLogFile: String?
  /// Called with one line when something is wrong that does not stop the server, such as a revocation list
  /// that became unreadable (the last good one stays in force).
  package var warn: @Sendable (String) -> Void = { _ in }

  package init(identity: TLSIdentitySource, trust: TLSTrust) {
    self.identity = identity
    self.trust = trust
  }
}

/// Which provider certificates are believed.
package enum TLSTrust: Sendable, Hashable {
  /// Certificates signed by one of the CAs in these PEM files and not on a revocation list. CA and CRL
  /// files are read again when they change. An intermediate CA is enough. A CA without a list in
  /// `crlFiles` has revoked nothing; an outdated list still counts.
  case authority(caFiles: [String], crlFiles: [String])
  /// Any certificate at all: self-signed, expired, of an unknown CA. Its holder still has to prove that it
  /// has the private key.
  case anyCertificate
}
