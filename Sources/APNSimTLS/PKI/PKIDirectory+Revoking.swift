extension PKIDirectory {
  /// Puts a certificate on the revocation list; running servers notice at their next handshake.
  ///
  /// - Parameters:
  ///   - file: the certificate: PEM, DER or PKCS#12.
  ///   - password: of a PKCS#12 file.
  /// - Returns: the certificate, and whether it was on the list already.
  package func revoke(
    _ file: String,
    password: String = defaultPassword
  ) throws(TLSSetupError) -> (certificate: PeerCertificate, wasRevoked: Bool) {
    let certificate = try Self.certificate(file, password: password)
    let authority = try authority()
    guard certificate.isSigned(by: authority.certificate) else {
      throw TLSSetupError(
        file: file,
        reason: "is not signed by \(caFile), so its revocation list cannot name it"
      )
    }
    guard certificate.der != authority.certificate.der else {
      throw TLSSetupError(file: file, reason: "is the CA itself, which no list can revoke")
    }
    let wasRevoked = try POSIXFile.withLock(lockFile) { () throws(TLSSetupError) in
      let lists = try revocationLists()
      let old = lists.first { $0.isSigned(by: authority.certificate) }
      if old?.serials.contains(certificate.serial) == true { return true }
      let new = try authority.revocationList(after: old, adding: [certificate.serial])
      try write(new, beside: lists.filter { $0 !== old })
      return false
    }
    return (PeerCertificate(certificate), wasRevoked)
  }

  /// `nil` when there is none yet.
  func currentRevocationList(_ authority: X509Certificate) throws(TLSSetupError) -> RevocationList? {
    try revocationLists().first { $0.isSigned(by: authority) }
  }

  /// All lists of the file, of other CAs as well.
  func revocationLists() throws(TLSSetupError) -> [RevocationList] {
    guard POSIXFile.exists(crlFile) else { return [] }
    return try PEMFile.revocationLists(crlFile)
  }

  /// Writes the list of our CA, and the others that the file had.
  func write(_ list: RevocationList, beside others: [RevocationList]) throws(TLSSetupError) {
    try POSIXFile.writeAtomically(list.pem + others.flatMap(\.pem), to: crlFile, mode: 0o644)
  }

  private static func certificate(_ file: String, password: String) throws(TLSSetupError) -> X509Certificate {
    do throws(TLSSetupError) {
      guard let first = try PEMFile.certificates(file).first else {
        throw TLSSetupError(file: file, reason: "expected a certificate, found none")
      }
      return first
    } catch {
      guard file.hasSuffix(".p12") || file.hasSuffix(".pfx") else { throw error }
      return try PKCS12File.read(file, password: password).certificate
    }
  }
}
