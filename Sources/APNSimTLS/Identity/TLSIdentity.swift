/// A certificate, its chain of intermediate certificates, and its private key.
package struct TLSIdentity: Sendable {
  package var certificate: X509Certificate
  /// Intermediate certificates to send after the first, in order.
  package var chain: [X509Certificate]
  package var key: PrivateKey

  package init(certificate: X509Certificate, chain: [X509Certificate] = [], key: PrivateKey) {
    self.certificate = certificate
    self.chain = chain
    self.key = key
  }

  /// The certificate and its chain in PEM.
  var certificatesPEM: [UInt8] { certificate.pem + chain.flatMap(\.pem) }

  /// Reads PEM files and checks that the key belongs to the first certificate.
  package init(
    certificateFile: String,
    keyFile: String,
    password: String? = nil
  ) throws(TLSSetupError) {
    let certificates = try PEMFile.certificates(certificateFile)
    let key = try PEMFile.privateKey(keyFile, password: password)
    guard let first = certificates.first, first.matches(key) else {
      throw TLSSetupError(
        file: keyFile,
        reason: "the private key does not belong to the certificate \(certificateFile)"
      )
    }
    self.init(certificate: first, chain: Array(certificates.dropFirst()), key: key)
  }
}

/// The source of a certificate and its private key.
package enum TLSIdentitySource: Sendable {
  /// PEM files. The certificate file may hold intermediate certificates after the first one; the key may be
  /// in the same file (`key` nil) and may be encrypted.
  case files(certificate: String, key: String?, password: String? = nil)
  /// A PKCS#12 file, in today's or the legacy encryption.
  case pkcs12(file: String, password: String)
  /// An identity in memory.
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
