import COpenSSL

/// A certificate authority: a certificate and its signing key.
package struct CertificateAuthority: Sendable {
  package var certificate: X509Certificate
  package var key: PrivateKey

  package init(certificate: X509Certificate, key: PrivateKey) {
    self.certificate = certificate
    self.key = key
  }

  /// Makes a self-signed CA.
  package init(key: PrivateKey, template: CertificateTemplate = .authority()) throws(TLSSetupError) {
    self.key = key
    certificate = try CertificateBuilder(template).sign(for: key, issuer: nil, with: key)
  }

  /// Issues a certificate for `subjectKey` with a random serial number.
  package func sign(
    _ template: CertificateTemplate,
    for subjectKey: PrivateKey
  ) throws(TLSSetupError) -> X509Certificate {
    try CertificateBuilder(template).sign(for: subjectKey, issuer: certificate, with: key)
  }

  /// Renews a certificate for 20 years with a new serial number: holder, key and extensions stay.
  package func renew(_ old: X509Certificate) throws(TLSSetupError) -> X509Certificate {
    try CertificateBuilder.renew(old, issuer: certificate, with: key)
  }

  /// Renews this CA for 20 years. Its key and name stay, so everything it signed stays valid.
  package func renewed() throws(TLSSetupError) -> CertificateAuthority {
    let renewed = try CertificateBuilder.renew(certificate, issuer: nil, with: key)
    return CertificateAuthority(certificate: renewed, key: key)
  }

  /// Makes a revocation list (X.509 version 2), valid for 20 years: the entries of `previous`, and these serial
  /// numbers in hexadecimal, revoked now. Its number is one higher than that of `previous`.
  package func revocationList(
    after previous: RevocationList? = nil,
    adding serials: [String] = []
  ) throws(TLSSetupError) -> RevocationList {
    guard let pointer = previous.map({ X509_CRL_dup($0.pointer) }) ?? X509_CRL_new() else {
      throw TLSSetupError(reason: "out of memory")
    }
    let list = RevocationList(owning: pointer)
    let issued = ASN1_TIME_set(nil, Int(UnixTime.now - UnixTime.secondsPerDay))
    let update = ASN1_TIME_set(nil, Int(UnixTime.now + CertificateTemplate.years(20)))
    let revoked = ASN1_TIME_set(nil, Int(UnixTime.now))
    let number = ASN1_INTEGER_new()
    defer {
      ASN1_TIME_free(issued)
      ASN1_TIME_free(update)
      ASN1_TIME_free(revoked)
      ASN1_INTEGER_free(number)
    }
    for serial in serials {
      guard Self.add(serial, revoked, to: pointer) else {
        throw TLSSetupError(reason: "\(serial) is not a serial number")
      }
    }
    let (next, isTooLarge) = (previous?.number ?? 0).addingReportingOverflow(1)
    guard !isTooLarge, next > 0 else {
      throw TLSSetupError(reason: "the revocation list's number cannot be increased")
    }
    ASN1_INTEGER_set(number, next)
    guard
      X509_CRL_set_version(pointer, 1) == 1,
      X509_CRL_set_issuer_name(pointer, X509_get_subject_name(certificate.pointer)) == 1,
      X509_CRL_set1_lastUpdate(pointer, issued) == 1,
      X509_CRL_set1_nextUpdate(pointer, update) == 1,
      X509_CRL_sort(pointer) == 1,
      X509_CRL_add1_ext_i2d(pointer, NID_crl_number, number, 0, UInt(X509V3_ADD_REPLACE)) == 1,
      previous != nil || apnsim_X509_CRL_add_authority_key(pointer, certificate.pointer) == 1,
      X509_CRL_sign(pointer, key.pointer, EVP_sha256()) > 0
    else {
      throw TLSSetupError(reason: "the revocation list could not be signed: \(OpenSSL.lastReason())")
    }
    return list
  }

  private static func add(
    _ serial: String,
    _ date: UnsafeMutablePointer<ASN1_TIME>?,
    to list: OpaquePointer
  ) -> Bool {
    var big: OpaquePointer?
    guard BN_hex2bn(&big, serial) == serial.utf8.count, let big else { return false }
    defer { BN_free(big) }
    guard let number = BN_to_ASN1_INTEGER(big, nil), let entry = X509_REVOKED_new() else { return false }
    defer { ASN1_INTEGER_free(number) }
    X509_REVOKED_set_serialNumber(entry, number)
    X509_REVOKED_set_revocationDate(entry, date)
    guard X509_CRL_add0_revoked(list, entry) == 1 else {
      X509_REVOKED_free(entry)
      return false
    }
    return true
  }
}
