import APNSimSystem

extension PKIDirectory {
  /// Puts a certificate on the revocation list; running servers notice at their next handshake. Another of the same
  /// holder in the files of the same name, from before a renewal, is revoked with it.
  ///
  /// - Parameters:
  ///   - file: the certificate in PEM, DER or PKCS#12.
  ///   - password: the password of a PKCS#12 file.
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
    let own = try? PEMFile.certificates(server.certificate).first
    guard certificate.der != own?.der else {
      throw TLSSetupError(
        file: file,
        reason: "is the simulator's own: if it were revoked, no provider could connect",
        hint: "\"apnsim certs renew\" makes another"
      )
    }
    let wasRevoked = try SetupFile.withLock(lockFile) { () throws(TLSSetupError) in
      let lists = try revocationLists()
      let old = lists.first { $0.isSigned(by: authority.certificate) }
      let known = Set(old?.serials ?? [])
      let serials = Self.serials(of: certificate, beside: file, authority).filter { !known.contains($0) }
      if serials.isEmpty { return true }
      let new = try authority.revocationList(after: old, adding: serials)
      try write(new, beside: lists.filter { $0 !== old })
      return false
    }
    return (PeerCertificate(certificate), wasRevoked)
  }

  /// The serial number of a certificate, and those of the same holder in the PEM files of its name.
  private static func serials(
    of certificate: X509Certificate,
    beside file: String,
    _ authority: CertificateAuthority
  ) -> [String] {
    let suffixes = [Files.combinedSuffix, "-legacy.p12", ".pem", ".p12"]
    guard let suffix = suffixes.first(where: { file.hasSuffix($0) }) else { return [certificate.serial] }
    let files = Files(prefix: String(file.dropLast(suffix.count)))
    let subject = PeerCertificate(certificate).subject
    let others = [files.certificate, files.combined].compactMap { try? PEMFile.certificates($0).first }
    let same = others.filter {
      $0.isSigned(by: authority.certificate) && PeerCertificate($0).subject == subject
    }
    return [certificate.serial] + Set(same.map(\.serial)).subtracting([certificate.serial]).sorted()
  }

  /// The list of the CA; `nil` when there is none yet.
  func currentRevocationList(_ authority: X509Certificate) throws(TLSSetupError) -> RevocationList? {
    try revocationLists().first { $0.isSigned(by: authority) }
  }

  /// All lists of the file, of other CAs as well.
  func revocationLists() throws(TLSSetupError) -> [RevocationList] {
    guard SystemPath.exists(crlFile) else { return [] }
    return try PEMFile.revocationLists(crlFile)
  }

  /// Writes the list of our CA, followed by the others that the file had.
  func write(_ list: RevocationList, beside others: [RevocationList]) throws(TLSSetupError) {
    try SetupFile.write(list.pem + others.flatMap(\.pem), to: crlFile, mode: 0o644)
  }

  private static func certificate(_ file: String, password: String) throws(TLSSetupError) -> X509Certificate {
    do throws(TLSSetupError) {
      guard let first = try PEMFile.certificates(file).first else {
        throw TLSSetupError(file: file, reason: "expected a certificate, found none")
      }
      return first
    } catch {
      // A sequence in DER that is not a certificate may be PKCS#12.
      guard (try? SetupFile.read(file))?.first == 0x30 else { throw error }
      return try PKCS12File.read(file, password: password).certificate
    }
  }
}
