import APNSimSystem

/// The keys of provider tokens in a directory: `AuthKey_<ID>.p8`, as Apple gives them out, or `APNSAuthKey_<ID>.p8`, as it did
/// in 2016.
extension PKIDirectory {
  private static let prefix = "AuthKey_"
  private static let prefixes = [prefix, "APNS" + prefix]
  private static let suffix = ".p8"

  /// The identifier that a key's file has in its name; nil for a file of another name.
  package static func providerKeyID(ofFile path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let prefix = prefixes.first(where: { name.hasPrefix($0) }), name.hasSuffix(suffix) else {
      return nil
    }
    let id = name.dropFirst(prefix.count).dropLast(suffix.count)
    return isProviderKeyID(id) ? String(id) : nil
  }

  /// Letters and digits; Apple's have ten.
  package static func isProviderKeyID(_ text: some StringProtocol) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { isAlphanumeric($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// The keys, by identifier.
  package func providerKeys() -> [(id: String, path: String)] {
    SetupFile.names(in: path).compactMap { name in
      Self.providerKeyID(ofFile: name).map { (id: $0, path: file(name)) }
    }
  }

  /// The file of a key; nil where there is none.
  package func existingProviderKey(_ id: String) -> String? {
    let paths = [file(providerKey: id)] + Self.prefixes.dropFirst().map { file("\($0)\(id)\(Self.suffix)") }
    return paths.first { SystemPath.exists($0) }
  }

  /// Reads a key of a directory. It may be looked for while apnsim runs, so that nothing but a regular file is read: another
  /// could be waited for without end.
  package static func readProviderKey(_ path: String) throws(TLSSetupError) -> ProviderKey {
    try ProviderKey.read(path, from: .regularFile)
  }

  /// The words beside a key (`AuthKey_<ID>.json`); nil where there are none.
  package func providerKeyRecord(_ id: String) throws(TLSSetupError) -> [UInt8]? {
    let record = recordFile(id)
    return SystemPath.exists(record) ? try SetupFile.read(record, from: .regularFile) : nil
  }

  package func recordFile(_ id: String) -> String { file("\(Self.prefix)\(id).json") }

  /// Makes a key.
  /// - Parameters:
  ///   - id: its identifier, which no other key here may have.
  ///   - record: what is said of it; empty for nothing.
  /// - Returns: the key's file.
  package func makeProviderKey(_ id: String, record: [UInt8]) throws(TLSSetupError) -> String {
    let path = file(providerKey: id)
    // Without a CA there is no directory to lock.
    _ = try authority()
    let key = try ProviderKey.generate()
    try SetupFile.withLock(lockFile) { () throws(TLSSetupError) in
      guard !SystemPath.exists(path) else { throw TLSSetupError(file: path, reason: "is there already") }
      if !record.isEmpty { try SetupFile.write(record, to: recordFile(id), mode: 0o644) }
      try SetupFile.write(key.pem, to: path, mode: 0o600)
    }
    return path
  }
}
