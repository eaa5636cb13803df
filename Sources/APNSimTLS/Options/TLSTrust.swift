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
