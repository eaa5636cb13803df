import COpenSSL
import Synchronization

/// A P-256 key that signs provider tokens (ES256: ECDSA with SHA-256; RFC 7518, section 3.4), and verifies them, with other
/// hashes too.
///
/// It is safe to use from all threads: one at a time has the kept context.
package final class ProviderKey: @unchecked Sendable {
  private let key: PrivateKey
  private let verifying: OpaquePointer
  /// The hash that the context has.
  private let turn = Mutex(Hash.sha256)

  /// The hashes of ECDSA in JSON Web Algorithms.
  package enum Hash: Sendable {
    case sha256, sha384, sha512

    fileprivate var function: OpaquePointer? {
      switch self {
      case .sha256: EVP_sha256()
      case .sha384: EVP_sha384()
      case .sha512: EVP_sha512()
      }
    }
  }

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
    try read(path, from: .anything)
  }

  static func read(_ path: String, from source: SetupFile.Source) throws(TLSSetupError) -> ProviderKey {
    try ProviderKey(PEMFile.privateKey(path, password: nil, source: source), file: path)
  }

  /// Reads the content of a `.p8` file.
  /// - Parameter source: where it comes from, for errors.
  package static func read(text: [UInt8], from source: String) throws(TLSSetupError) -> ProviderKey {
    try ProviderKey(PEMFile.privateKey(text, from: source, password: nil), file: source)
  }

  /// The content of a `.p8` file.
  package var pem: [UInt8] { key.pem }

  /// True if `signature` is this key's for `message`.
  /// - Parameter signature: DER, or raw r‖s in halves of one size, 32 bytes each or padded with zeros before them.
  package func verifies(
    _ message: some Collection<UInt8>,
    signature: [UInt8],
    isRaw: Bool? = nil,
    hash: Hash = .sha256
  ) -> Bool {
    let isRaw = isRaw ?? (signature.count == ES256Signature.size)
    guard let der = isRaw ? ES256Signature.der(raw: signature) : signature,
      let digest = Self.digest(Array(message), hash)
    else { return false }
    let verdict = turn.withLock { current in
      if current != hash {
        guard EVP_PKEY_CTX_set_signature_md(verifying, hash.function) == 1 else { return Int32(0) }
        current = hash
      }
      return EVP_PKEY_verify(verifying, der, der.count, digest, digest.count)
    }
    if verdict != 1 { ERR_clear_error() }
    return verdict == 1
  }

  /// Signs a message; raw r‖s.
  package func sign(_ message: [UInt8], hash: Hash = .sha256) throws(TLSSetupError) -> [UInt8] {
    let context = EVP_PKEY_CTX_new(key.pointer, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var der = [UInt8](repeating: 0, count: 80)
    var size = der.count
    guard
      let digest = Self.digest(message, hash),
      EVP_PKEY_sign_init(context) == 1,
      EVP_PKEY_CTX_set_signature_md(context, hash.function) == 1,
      EVP_PKEY_sign(context, &der, &size, digest, digest.count) == 1,
      let raw = ES256Signature.raw(der: Array(der.prefix(size)))
    else { throw TLSSetupError(reason: "the key cannot sign: \(OpenSSL.lastReason())") }
    return raw
  }

  /// True if both are the same key.
  package func equals(_ other: ProviderKey) -> Bool { EVP_PKEY_eq(key.pointer, other.key.pointer) == 1 }

  private static func digest(_ message: [UInt8], _ hash: Hash) -> [UInt8]? {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard EVP_Digest(message, message.count, &digest, &count, hash.function, nil) == 1 else { return nil }
    return Array(digest.prefix(Int(count)))
  }
}
