/// Where a certificate and its private key come from.
package enum TLSIdentitySource: Sendable {
  /// PEM files. The certificate file may hold intermediate certificates after the first one; the key may be
  /// in the same file (`key` nil) and may be encrypted.
  case files(certificate: String, key: String?, password: String? = nil)
  /// A PKCS#12 file, in today's or the legacy encryption.
  case pkcs12(file: String, password: String)
  /// Already in memory.
  case memory(TLSIdentity)

  package func load() throws(TLSSetupError) -> TLSIdentity {
    switch self {
    case .files(let certificate, let key, let password):
      try TLSIdentity(certificateFile: certificate, keyFile: key ?? certificate, password: password)
    case .pkcs12(let file, let password): try PKCS12File.read(file, password: password)
    case .memory(let identity): identity
    }
  }
}
