extension PKIDirectory {
  /// Writes a CA, its key first: a crash in between leaves a key without a certificate, which the next start
  /// completes.
  func writeAuthority(_ authority: CertificateAuthority) throws(TLSSetupError) {
    try SetupFile.write(authority.key.pem, to: authorityFiles.key, mode: 0o600)
    try SetupFile.write(authority.certificate.pem, to: caFile, mode: 0o644)
  }

  /// Writes key and certificate and, with a password, the combined and PKCS#12 files.
  ///
  /// - Returns: remarks for the user.
  func write(
    _ identity: TLSIdentity,
    to files: Files,
    password: String?
  ) throws(TLSSetupError) -> [String] {
    try SetupFile.write(identity.key.pem, to: files.key, mode: 0o600)
    try SetupFile.write(identity.certificatesPEM, to: files.certificate, mode: 0o644)
    guard let password else { return [] }
    return try writePackages(identity, to: files, password: password)
  }

  /// Writes the combined and PKCS#12 files alone.
  ///
  /// - Returns: remarks for the user.
  func writePackages(
    _ identity: TLSIdentity,
    to files: Files,
    password: String
  ) throws(TLSSetupError) -> [String] {
    try writeCombined(identity, to: files)
    // The label is in UTF-16 without surrogate pairs.
    let label = (PeerCertificate(identity.certificate).commonName ?? "apnsim").unicodeScalars
    let name = String(String.UnicodeScalarView(label.filter { $0.value <= 0xFFFF }))
    let today = try PKCS12File.make(identity, name: name, password: password, encryption: .today)
    try SetupFile.write(today, to: files.pkcs12, mode: 0o600)
    guard LegacyProvider.isAvailable else {
      return ["\(files.legacyPKCS12) was not made: OpenSSL's legacy provider cannot be loaded"]
    }
    let legacy = try PKCS12File.make(identity, name: name, password: password, encryption: .legacy)
    try SetupFile.write(legacy, to: files.legacyPKCS12, mode: 0o600)
    return []
  }

  func writeCombined(_ identity: TLSIdentity, to files: Files) throws(TLSSetupError) {
    try SetupFile.write(
      identity.certificatesPEM + identity.key.pem,
      to: files.combined,
      mode: 0o600
    )
  }
}
