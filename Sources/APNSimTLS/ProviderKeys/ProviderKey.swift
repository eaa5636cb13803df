import COpenSSL
import Synchronization

/// A P-256 key that signs or verifies provider tokens (ES256: ECDSA with SHA-256; RFC 7518, section 3.4).
///
/// It is safe to use from all threads: one at a time has the kept context.
package final class ProviderKey: @unchecked Sendable {
  private let key: PrivateKey
  private let verifying: OpaquePointer
  private let turn = Mutex<Void>(())

  /// - Parameter file: the file the key was read from, for errors.
  init(_ key: PrivateKey, file: String? = nil) throws(TLSSetupError) {
    var name = [CChar](repeating: 0, count: 64)
    let named = EVP_PKEY_get_group_name(key.pointer, &name, name.count, nil) == 1
    let group = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    ERR_clear_error()
    guard EVP_PKEY_is_a(key.pointer, "EC") == 1, named, group == "prime256v1" else {
      let kind = EVP_PKEY_get0_type_name(key.pointer).map { String(cString: $0) } ?? "another kind"
      throw TLSSetupError(
        file: file,
        reason: "expected a P-256 key (ES256), found \(kind)\(named ? " \(group)" : "")"
      )
    }
    guard let context = EVP_PKEY_CTX_new(key.pointer, nil) else {
      throw TLSSetupError(reason: "out of memory")
    }
    guard EVP_PKEY_verify_init(context) == 1, EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1 else {
      EVP_PKEY_CTX_free(context)
      throw TLSSetupError(file: file, reason: "the key cannot verify: \(OpenSSL.lastReason())")
    }
    self.key = key
    verifying = context
  }

  deinit { EVP_PKEY_CTX_free(verifying) }

  package static func generate() throws(TLSSetupError) -> ProviderKey {
    try ProviderKey(PrivateKey.generate(.p256))
  }

  /// Reads a `.p8` file as Apple gives them out: PKCS#8 in PEM, not encrypted.
  package static func read(_ path: String) throws(TLSSetupError) -> ProviderKey {
    try ProviderKey(PEMFile.privateKey(path, password: nil), file: path)
  }

  /// The content of a `.p8` file.
  package var pem: [UInt8] { key.pem }

  /// True if `signature`, raw r‖s of 64 bytes or DER, is this key's for `message`.
  package func verifies(_ message: some Collection<UInt8>, signature: [UInt8]) -> Bool {
    let der = signature.count == ES256Signature.size ? ES256Signature.der(raw: signature) : signature
    guard let digest = Self.digest(Array(message)) else { return false }
    let verdict = turn.withLock { _ in
      EVP_PKEY_verify(verifying, der, der.count, digest, digest.count)
    }
    if verdict != 1 { ERR_clear_error() }
    return verdict == 1
  }

  /// Signs a message; raw r‖s.
  package func sign(_ message: [UInt8]) throws(TLSSetupError) -> [UInt8] {
    let context = EVP_PKEY_CTX_new(key.pointer, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var der = [UInt8](repeating: 0, count: 80)
    var size = der.count
    guard
      let digest = Self.digest(message),
      EVP_PKEY_sign_init(context) == 1,
      EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1,
      EVP_PKEY_sign(context, &der, &size, digest, digest.count) == 1,
      let raw = ES256Signature.raw(der: Array(der.prefix(size)))
    else { throw TLSSetupError(reason: "the key cannot sign: \(OpenSSL.lastReason())") }
    return raw
  }

  /// True if both are the same key.
  package func equals(_ other: ProviderKey) -> Bool { EVP_PKEY_eq(key.pointer, other.key.pointer) == 1 }

  private static func digest(_ message: [UInt8]) -> [UInt8]? {
    var digest = [UInt8](repeating: 0, count: 32)
    return EVP_Digest(message, message.count, &digest, nil, EVP_sha256(), nil) == 1 ? digest : nil
  }
}
