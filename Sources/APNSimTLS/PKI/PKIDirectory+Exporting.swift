extension PKIDirectory {
  /// The formats in which a certificate is exported.
  package enum ExportFormat: String, Sendable, CaseIterable {
    /// The certificate and its chain, then its key, in one PEM file.
    case pem
    /// The certificate alone in PEM.
    case certificate
    /// The certificate alone in DER.
    case der
    /// PKCS#12 in today's encryption.
    case p12
    /// PKCS#12 in the encryption of the interface's time.
    case legacyP12 = "p12-legacy"

    var holdsKey: Bool { self != .certificate && self != .der }
  }

  /// Exports a certificate of the directory.
  ///
  /// - Parameter name: its name as in ``list()``, with or without ".pem": "provider", "ca", "com.example.other".
  package func export(
    _ name: String,
    as format: ExportFormat,
    password: String = defaultPassword
  ) throws(TLSSetupError) -> [UInt8] {
    let files = Files(prefix: file(name.hasSuffix(".pem") ? String(name.dropLast(4)) : name))
    guard format.holdsKey else {
      guard let certificate = try PEMFile.certificates(files.certificate).first else { return [] }
      return format == .der ? certificate.der : certificate.pem
    }
    let identity = try files.identity()
    if format == .pem { return identity.certificatesPEM + identity.key.pem }
    return try PKCS12File.make(
      identity,
      name: PeerCertificate(identity.certificate).commonName ?? name,
      password: password,
      encryption: format == .p12 ? .today : .legacy
    )
  }

  /// Writes ``export(_:as:password:)`` to a file, readable by its owner only where it holds a key.
  package func export(
    _ name: String,
    as format: ExportFormat,
    password: String = defaultPassword,
    to path: String
  ) throws(TLSSetupError) {
    let bytes = try export(name, as: format, password: password)
    try SetupFile.write(bytes, to: path, mode: format.holdsKey ? 0o600 : 0o644)
  }
}
