internal import COpenSSL

/// Owns one private key of libcrypto. Immutable once made, so it may cross threads.
package final class PrivateKey: @unchecked Sendable {
  /// The kinds of key that certificates are made with.
  package enum Algorithm: String, Sendable, CaseIterable {
    /// What providers of the time understand, and the default.
    case rsa2048 = "rsa"
    /// ECDSA on NIST P-256: made and used faster.
    case p256 = "ec"
  }

  let pointer: OpaquePointer

  /// Takes over the reference.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { EVP_PKEY_free(pointer) }

  /// A new random key. RSA takes 60 to 190 ms.
  package static func generate(_ algorithm: Algorithm) throws(TLSSetupError) -> PrivateKey {
    _ = OpenSSL.initialise
    let pointer =
      switch algorithm {
      case .rsa2048: apnsim_EVP_RSA_gen(2048)
      case .p256: apnsim_EVP_EC_gen("P-256")
      }
    guard let pointer else {
      throw TLSSetupError(reason: "a key could not be generated: \(OpenSSL.lastReason())")
    }
    return PrivateKey(owning: pointer)
  }

  /// PKCS#8 in PEM ("BEGIN PRIVATE KEY"), not encrypted.
  package var pem: [UInt8] {
    MemoryBuffer.collect { PEM_write_bio_PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
  }
}
