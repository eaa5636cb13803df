import COpenSSL

/// Owns one certificate of libcrypto. It is immutable once made, so it may cross threads.
package final class X509Certificate: @unchecked Sendable {
  let pointer: OpaquePointer

  /// Takes ownership of the reference.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  /// Retains the certificate.
  convenience init(sharing pointer: OpaquePointer) {
    X509_up_ref(pointer)
    self.init(owning: pointer)
  }

  /// Decodes exactly one DER certificate; `nil` for any other bytes. libcrypto also accepts some that are not DER,
  /// and writes them differently, or so that it cannot read them again.
  package convenience init?(der: [UInt8]) {
    let parsed = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var cursor = bytes.baseAddress
      guard let pointer = d2i_X509(nil, &cursor, bytes.count) else { return nil }
      guard let base = bytes.baseAddress, let end = cursor, end - base == bytes.count else {
        X509_free(pointer)
        return nil
      }
      return pointer
    }
    guard let parsed else {
      ERR_clear_error()
      return nil
    }
    self.init(owning: parsed)
    guard self.der == der else { return nil }
  }

  deinit { X509_free(pointer) }

  package var der: [UInt8] {
    var output: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509(pointer, &output)
    guard count > 0, let output else { return [] }
    defer { apnsim_OPENSSL_free(output) }
    return [UInt8](UnsafeBufferPointer(start: output, count: Int(count)))
  }

  package var pem: [UInt8] {
    MemoryBuffer.collect { PEM_write_bio_X509($0, pointer) }
  }

  /// The serial number in lower-case hexadecimal, without leading zeros of the sign.
  var serial: String { X509Certificate.serialText(X509_get0_serialNumber(pointer)) }

  static func serialText(_ number: UnsafePointer<ASN1_INTEGER>?) -> String {
    guard let big = ASN1_INTEGER_to_BN(number, nil) else { return "" }
    defer { BN_free(big) }
    guard let text = BN_bn2hex(big) else { return "" }
    defer { apnsim_OPENSSL_free(text) }
    return String(cString: text).lowercased()
  }

  /// True if `issuer`'s key made this certificate's signature.
  func isSigned(by issuer: X509Certificate) -> Bool {
    defer { ERR_clear_error() }
    return X509_verify(pointer, X509_get0_pubkey(issuer.pointer)) == 1
  }

  /// True if a client that looks for the DNS name or address finds it here.
  func names(_ server: String) -> Bool {
    defer { ERR_clear_error() }
    return CertificateBuilder.isAddress(server)
      ? X509_check_ip_asc(pointer, server, 0) == 1
      : X509_check_host(pointer, server, server.utf8.count, 0, nil) == 1
  }

  /// The DNS names and addresses that it is for, as libcrypto writes them.
  var serverNames: [String] {
    defer { ERR_clear_error() }
    let index = X509_get_ext_by_NID(pointer, NID_subject_alt_name, -1)
    guard index >= 0, let found = X509_get_ext(pointer, index) else { return [] }
    let text = String(decoding: MemoryBuffer.collect { X509V3_EXT_print($0, found, 0, 0) }, as: UTF8.self)
    return text.split(separator: ", ").compactMap { name in
      name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) }
    }
  }

  /// True if it is for these DNS names and addresses, and no others.
  func isServer(exactly wanted: [String]) -> Bool {
    let present = serverNames
    return present.count == wanted.count
      && wanted.allSatisfy { name in
        CertificateBuilder.isAddress(name)
          ? names(name) : present.contains { $0.lowercased() == name.lowercased() }
      }
  }

  func matches(_ key: PrivateKey) -> Bool {
    defer { ERR_clear_error() }
    return X509_check_private_key(pointer, key.pointer) == 1
  }
}
