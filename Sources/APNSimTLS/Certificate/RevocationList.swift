import COpenSSL

/// Owns one certificate revocation list of libcrypto (RFC 5280, section 5). It is immutable once made.
package final class RevocationList: @unchecked Sendable {
  let pointer: OpaquePointer

  /// Takes ownership of the reference.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  convenience init?(der: [UInt8]) {
    let parsed = der.withUnsafeBufferPointer { bytes in
      var cursor = bytes.baseAddress
      return d2i_X509_CRL(nil, &cursor, bytes.count)
    }
    ERR_clear_error()
    guard let parsed else { return nil }
    self.init(owning: parsed)
  }

  deinit { X509_CRL_free(pointer) }

  /// The serial numbers on the list, lower-case hexadecimal, in its order.
  package var serials: [String] {
    guard let entries = X509_CRL_get_REVOKED(pointer) else { return [] }
    return (0..<apnsim_sk_X509_REVOKED_num(entries)).map { index in
      X509Certificate.serialText(X509_REVOKED_get0_serialNumber(apnsim_sk_X509_REVOKED_value(entries, index)))
    }
  }

  /// The list's own number, which grows with every change (RFC 5280, section 5.2.3); 0 when it has none.
  package var number: Int {
    guard let raw = X509_CRL_get_ext_d2i(pointer, NID_crl_number, nil, nil) else { return 0 }
    let number = raw.assumingMemoryBound(to: ASN1_INTEGER.self)
    defer { ASN1_INTEGER_free(number) }
    return ASN1_INTEGER_get(number)
  }

  /// True if the list says that it is the CA's.
  func names(_ authority: X509Certificate) -> Bool {
    X509_NAME_cmp(X509_CRL_get_issuer(pointer), X509_get_subject_name(authority.pointer)) == 0
  }

  /// True if the CA's key made this list's signature.
  func isSigned(by authority: X509Certificate) -> Bool {
    defer { ERR_clear_error() }
    return X509_CRL_verify(pointer, X509_get0_pubkey(authority.pointer)) == 1
  }

  package var pem: [UInt8] {
    MemoryBuffer.collect { PEM_write_bio_X509_CRL($0, pointer) }
  }
}
