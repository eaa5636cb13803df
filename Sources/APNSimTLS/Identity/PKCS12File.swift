import COpenSSL

/// PKCS#12 files (`.p12`, `.pfx`): a certificate with its key under a password.
enum PKCS12File {
  enum Encryption: Sendable {
    /// PBES2 with AES-256 and HMAC-SHA-256, which current systems read.
    case today
    /// RC2-40 for the certificate, Triple-DES for the key, HMAC-SHA-1, which key chains and libraries of the time
    /// read. It needs OpenSSL's legacy provider.
    case legacy
  }

  /// Makes the bytes of a file with the certificate, its chain and its key.
  ///
  /// - Parameter name: the "friendly name" that key chains show.
  static func make(
    _ identity: TLSIdentity,
    name: String,
    password: String,
    encryption: Encryption
  ) throws(TLSSetupError) -> [UInt8] {
    _ = OpenSSL.initialise
    if encryption == .legacy, !LegacyProvider.isAvailable {
      throw TLSSetupError(
        reason: "the legacy PKCS#12 encryption needs OpenSSL's legacy provider, which cannot be loaded",
        hint: "it is the file ossl-modules/legacy.so of the OpenSSL package"
      )
    }
    let bytes = LegacyProvider.using {
      MemoryBuffer.collect { bio in
        let chain = apnsim_sk_X509_new()
        for certificate in identity.chain { apnsim_sk_X509_push(chain, certificate.pointer) }
        defer { apnsim_sk_X509_free_all(chain) }
        let legacy = encryption == .legacy
        let container = PKCS12_create(
          password,
          name,
          identity.key.pointer,
          identity.certificate.pointer,
          chain,
          legacy ? NID_pbe_WithSHA1And3_Key_TripleDES_CBC : NID_aes_256_cbc,
          legacy ? NID_pbe_WithSHA1And40BitRC2_CBC : NID_aes_256_cbc,
          PKCS12_DEFAULT_ITER,
          -1,
          0
        )
        guard let container else { return 0 }
        defer { PKCS12_free(container) }
        let digest = legacy ? EVP_sha1() : EVP_sha256()
        guard PKCS12_set_mac(container, password, -1, nil, 0, PKCS12_DEFAULT_ITER, digest) == 1 else {
          return 0
        }
        return i2d_PKCS12_bio(bio, container)
      }
    }
    guard !bytes.isEmpty else {
      throw TLSSetupError(reason: "a PKCS#12 file could not be made: \(OpenSSL.lastReason())")
    }
    return bytes
  }

  static func read(_ path: String, password: String) throws(TLSSetupError) -> TLSIdentity {
    _ = OpenSSL.initialise
    let bytes = try SetupFile.read(path)
    let damage = DERDamage(bytes)
    guard let container = parse(bytes) else {
      if let damage { throw damage.error(file: path, of: "PKCS#12") }
      throw TLSSetupError(file: path, reason: "expected PKCS#12, found \(PEMFile.description(of: bytes))")
    }
    defer { PKCS12_free(container) }
    switch LegacyProvider.using({ contents(of: container, password: password) }) {
    case .success(let identity): return identity
    case .failure(let error):
      if let damage { throw damage.error(file: path, of: "PKCS#12") }
      var error = error
      error.file = path
      throw error
    }
  }

  private static func parse(_ bytes: [UInt8]) -> OpaquePointer? {
    defer { ERR_clear_error() }
    return LegacyProvider.using {
      bytes.withUnsafeBufferPointer { raw in
        var cursor = raw.baseAddress
        return d2i_PKCS12(nil, &cursor, raw.count)
      }
    }
  }

  private static func contents(
    of container: OpaquePointer,
    password: String
  ) -> Result<TLSIdentity, TLSSetupError> {
    var key: OpaquePointer?
    var certificate: OpaquePointer?
    var others: OpaquePointer?
    let done = PKCS12_parse(container, password, &key, &certificate, &others)
    let chain = (0..<max(0, others.map { apnsim_sk_X509_num($0) } ?? 0)).compactMap { index in
      apnsim_sk_X509_value(others, index).map { X509Certificate(sharing: $0) }
    }
    if let others { apnsim_sk_X509_free_all(others) }
    let ownedKey = key.map { PrivateKey(owning: $0) }
    let ownedCertificate = certificate.map { X509Certificate(owning: $0) }
    let errors = OpenSSL.drainErrors()
    if done == 1, let ownedKey, let ownedCertificate {
      return .success(TLSIdentity(certificate: ownedCertificate, chain: chain, key: ownedKey))
    }
    if done == 1 {
      let missing = ownedKey == nil ? "private key" : "certificate that belongs to its private key"
      return .failure(TLSSetupError(reason: "the PKCS#12 file has no \(missing)"))
    }
    if errors.contains(where: { $0.library == ERR_LIB_PKCS12 && $0.reason == PKCS12_R_MAC_VERIFY_FAILURE }) {
      return .failure(TLSSetupError(reason: "wrong password for this PKCS#12 file"))
    }
    let reason = errors.last?.text ?? "unknown reason"
    let hint =
      LegacyProvider.isAvailable
      ? nil : "OpenSSL's legacy provider is not installed; RC2 and single DES need it"
    return .failure(TLSSetupError(reason: "the PKCS#12 file cannot be opened: \(reason)", hint: hint))
  }
}
