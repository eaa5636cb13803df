import COpenSSL

/// Certificates, keys and revocation lists from PEM files, with errors that name file and reason.
enum PEMFile {
  /// All certificates of a file in their order, at least one. A single DER certificate is accepted as well.
  static func certificates(
    _ path: String,
    from source: SetupFile.Source = .anything
  ) throws(TLSSetupError) -> [X509Certificate] {
    _ = OpenSSL.initialise
    let bytes = try SetupFile.read(path, from: source)
    if let single = X509Certificate(der: bytes) { return [single] }
    var found: [X509Certificate] = []
    let failure: TLSSetupError? = MemoryBuffer.reading(bytes) { bio in
      while let pointer = PEM_read_bio_X509(bio, nil, nil, nil) {
        found.append(X509Certificate(owning: pointer))
      }
      return unlessAtEnd(path, expected: "a PEM certificate", found: found.isEmpty, bytes)
    }
    if let failure { throw failure }
    return found
  }

  static func privateKey(
    _ path: String,
    password: String?,
    source: SetupFile.Source = .anything
  ) throws(TLSSetupError) -> PrivateKey {
    try privateKey(SetupFile.read(path, from: source), from: path, password: password)
  }

  /// - Parameter path: where the bytes come from, for errors.
  static func privateKey(
    _ bytes: [UInt8],
    from path: String,
    password: String?
  ) throws(TLSSetupError) -> PrivateKey {
    if let key = wellFormedKey(bytes, password: password) { return key }
    let errors = OpenSSL.drainErrors()
    switch PEMRepair.find(in: bytes) {
    case .key(let repaired):
      if let key = wellFormedKey(repaired, password: password) { return key }
    case .cut(let reason):
      throw TLSSetupError(file: path, reason: "the private key is cut: \(reason)")
    case nil: break
    }
    ERR_clear_error()
    throw failure(of: bytes, path, password: password, errors.last?.text)
  }

  private static func wellFormedKey(_ bytes: [UInt8], password: String?) -> PrivateKey? {
    _ = OpenSSL.initialise
    if let pointer = PrivateKeyDecoder.shared.key(bytes, password: password) {
      return PrivateKey(owning: pointer)
    }
    var secret = (password ?? "").utf8CString
    let pointer = MemoryBuffer.reading(bytes) { bio in
      // Without a callback the last argument is the password itself; an empty one never prompts.
      secret.withUnsafeMutableBytes { PEM_read_bio_PrivateKey(bio, nil, nil, $0.baseAddress) }
    }
    guard let pointer else { return nil }
    ERR_clear_error()
    return PrivateKey(owning: pointer)
  }

  private static func failure(
    of bytes: [UInt8],
    _ path: String,
    password: String?,
    _ reason: String?
  ) -> TLSSetupError {
    if text(bytes, contains: "ENCRYPTED") {
      return TLSSetupError(
        file: path,
        reason: password == nil
          ? "the private key is encrypted and no password was given"
          : "the private key cannot be decrypted with the given password"
      )
    }
    guard text(bytes, contains: "PRIVATE KEY-----") else {
      return TLSSetupError(
        file: path,
        reason: "expected a PEM private key, found \(description(of: bytes))"
      )
    }
    return TLSSetupError(
      file: path,
      reason: "the private key is damaged: \(reason ?? "unknown reason")"
    )
  }

  /// The revocation lists of a file, at least one. A single DER list is accepted as well.
  static func revocationLists(
    _ path: String,
    from source: SetupFile.Source = .anything
  ) throws(TLSSetupError) -> [RevocationList] {
    _ = OpenSSL.initialise
    let bytes = try SetupFile.read(path, from: source)
    if let single = RevocationList(der: bytes) { return [single] }
    var lists: [RevocationList] = []
    let failure: TLSSetupError? = MemoryBuffer.reading(bytes) { bio in
      while let pointer = PEM_read_bio_X509_CRL(bio, nil, nil, nil) {
        lists.append(RevocationList(owning: pointer))
      }
      return unlessAtEnd(path, expected: "a PEM revocation list (X509 CRL)", found: lists.isEmpty, bytes)
    }
    if let failure { throw failure }
    return lists
  }

  /// PEM readers end with "no start line" at the end of the file: that is success if something was found.
  private static func unlessAtEnd(
    _ path: String,
    expected: String,
    found nothing: Bool,
    _ bytes: [UInt8]
  ) -> TLSSetupError? {
    let errors = OpenSSL.drainErrors()
    let atEnd = errors.last.map { $0.library == ERR_LIB_PEM && $0.reason == PEM_R_NO_START_LINE } ?? true
    switch (nothing, atEnd) {
    case (false, true): return nil
    case (true, true):
      if let damage = DERDamage(bytes) { return damage.error(file: path, of: "DER") }
      return TLSSetupError(file: path, reason: "expected \(expected), found \(description(of: bytes))")
    case (_, false):
      return TLSSetupError(
        file: path,
        reason: "expected \(expected), found a damaged one: \(errors.last?.text ?? "")"
      )
    }
  }

  private static func text(_ bytes: [UInt8], contains part: String) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains(part)
  }

  /// A description of what a file seems to be, for errors.
  static func description(of bytes: [UInt8]) -> String {
    if bytes.isEmpty { return "an empty file" }
    let text = String(decoding: bytes.prefix(65_536), as: UTF8.self)
    if let start = text.firstRange(of: "-----BEGIN ") {
      let label = text[start.upperBound...].prefix { $0 != "-" && $0 != "\n" }
      return "\"BEGIN \(label)\""
    }
    if bytes.first == 0x30 { return "\(bytes.count) bytes of DER or PKCS#12" }
    return "\(bytes.count) bytes that are not PEM"
  }
}
