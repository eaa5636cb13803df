import COpenSSL

/// Owns one private key of libcrypto. It is immutable once made, so it may cross threads.
package final class PrivateKey: @unchecked Sendable {
  /// The kinds of key that certificates are made with.
  package enum Algorithm: String, Sendable, CaseIterable {
    /// RSA of 2,048 bits, the default, which providers of the time understand.
    case rsa2048 = "rsa"
    /// ECDSA on NIST P-256, which is faster to make and to use.
    case p256 = "ec"
  }

  let pointer: OpaquePointer

  /// Takes ownership of the reference.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { EVP_PKEY_free(pointer) }

  /// Generates a random key. RSA takes 60 to 190 ms.
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

  /// The key in PKCS#8 as PEM ("BEGIN PRIVATE KEY"), not encrypted.
  package var pem: [UInt8] {
    MemoryBuffer.collect { PEM_write_bio_PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
  }
}
