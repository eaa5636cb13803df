import APNSimSystem
import COpenSSL
import Dispatch

extension PKIDirectory {
  /// Completes the directory with everything a simulator needs: missing files are made, certificates that would
  /// expire within ten years are renewed, existing files are checked.
  ///
  /// The first run takes as long as a few RSA keys (made in parallel), later ones a few milliseconds. Certificates of
  /// another CA that somebody put there are used unchanged.
  ///
  /// - Parameters:
  ///   - algorithm: the kind of new keys; devices always get EC P-256.
  ///   - serverNames: the names and addresses that the server's certificate has beside the usual ones; where it has
  ///     others, it is made anew under the same key. Empty accepts those that it has.
  /// - Throws: ``TLSSetupError`` naming the file that cannot be read, understood or written.
  package static func prepare(
    _ path: String,
    algorithm: PrivateKey.Algorithm = .rsa2048,
    serverNames: [String] = []
  ) throws(TLSSetupError) -> PKIDirectory {
    var directory = PKIDirectory(path: path)
    directory.serverNames = serverNames
    if SystemPath.exists(directory.caFile), try directory.isComplete() { return directory }
    try SetupFile.makeDirectory(path)
    directory.notes = try SetupFile.withLock(directory.lockFile) { () throws(TLSSetupError) in
      try directory.complete(algorithm)
    }
    return directory
  }

  /// A certificate that ``prepare(_:algorithm:)`` makes.
  private struct Standard {
    var files: Files
    var template: CertificateTemplate
    var algorithm: PrivateKey.Algorithm
    var hasPackages: Bool

    /// The files that have to be written.
    enum Need { case nothing, renewal, certificate, packages }
  }

  private func standards(_ algorithm: PrivateKey.Algorithm) -> [Standard] {
    let topic = [TopicsExtension.Topic(name: Self.defaultTopic)]
    return [
      Standard(
        files: server,
        template: .server(names: CertificateTemplate.usualServerNames + serverNames),
        algorithm: algorithm,
        hasPackages: false
      ),
      Standard(
        files: provider,
        template: .provider(topics: topic, environments: .production),
        algorithm: algorithm,
        hasPackages: true
      ),
      Standard(
        files: sandboxProvider,
        template: .provider(topics: topic, environments: .sandbox),
        algorithm: algorithm,
        hasPackages: true
      ),
      Standard(
        files: device,
        template: .device(name: "device"),
        algorithm: .p256,
        hasPackages: false
      ),
    ]
  }

  private mutating func isComplete() throws(TLSSetupError) -> Bool {
    guard [tokenKeyFile, crlFile, providerKeyFile].allSatisfy({ SystemPath.exists($0) }) else {
      return false
    }
    guard let authority = try PEMFile.certificates(caFile).first, !authority.expiresTooSoon else {
      return false
    }
    for standard in standards(.rsa2048) {
      let (need, identity) = try need(standard, authority)
      guard need == .nothing, let identity else { return false }
      remember(identity, of: standard.files)
    }
    _ = try tokenKey()
    return try PEMFile.revocationLists(crlFile).contains { $0.isSigned(by: authority) }
  }

  /// The need of a standard certificate, and its identity if there is one.
  private func need(
    _ standard: Standard,
    _ authority: X509Certificate
  ) throws(TLSSetupError) -> (Standard.Need, TLSIdentity?) {
    let files = standard.files
    guard SystemPath.exists(files.certificate) else { return (.certificate, nil) }
    guard SystemPath.exists(files.key) else {
      guard let old = try PEMFile.certificates(files.certificate).first, old.isOurs else {
        throw TLSSetupError(file: files.key, reason: "there is no key for \(files.certificate)")
      }
      return (.certificate, nil)
    }
    let identity = try files.identity()
    if identity.certificate.isOurs {
      if case .server(let names) = standard.template.purpose, !serverNames.isEmpty,
        !identity.certificate.isServer(exactly: names)
      {
        return (.certificate, identity)
      }
      guard identity.certificate.isSigned(by: authority) else { return (.renewal, identity) }
      // A new serial number would make a revoked one valid again.
      if identity.certificate.expiresTooSoon,
        try currentRevocationList(authority)?.serials.contains(identity.certificate.serial) != true
      {
        return (.renewal, identity)
      }
    }
    guard standard.hasPackages else { return (.nothing, identity) }
    let isPacked =
      SystemPath.exists(files.combined) && SystemPath.exists(files.pkcs12)
      && (SystemPath.exists(files.legacyPKCS12) || !LegacyProvider.isAvailable)
    return (isPacked ? .nothing : .packages, identity)
  }

  /// Makes what is missing. The caller holds the lock.
  private func complete(_ algorithm: PrivateKey.Algorithm) throws(TLSSetupError) -> [String] {
    let standards = standards(algorithm)
    let files = [authorityFiles] + standards.map(\.files)
    let keys = try Self.keys(files, [algorithm] + standards.map(\.algorithm))
    let authority = try completeAuthority(keys[0])
    try completeRevocationList(authority)
    if !SystemPath.exists(tokenKeyFile) {
      var key = [UInt8](repeating: 0, count: TokenCipher.keySize)
      guard RAND_bytes(&key, Int32(key.count)) == 1 else {
        throw TLSSetupError(reason: "random numbers could not be generated: \(OpenSSL.lastReason())")
      }
      try SetupFile.write(Array((Hexadecimal.text(key) + "\n").utf8), to: tokenKeyFile, mode: 0o600)
    }
    if !SystemPath.exists(providerKeyFile) {
      try SetupFile.write(ProviderKey.generate().pem, to: providerKeyFile, mode: 0o600)
    }
    var notes: [String] = []
    if let present = try? server.identity().certificate, !serverNames.isEmpty, !present.isOurs {
      notes.append("\(server.certificate) is not from apnsim's CA, so no names are put into it")
    }
    for (standard, key) in zip(standards, keys.dropFirst()) {
      let certificate: X509Certificate
      switch try need(standard, authority.certificate) {
      case (.nothing, _): continue
      case (.packages, let present?):
        notes += try writePackages(present, to: standard.files, password: Self.defaultPassword)
        continue
      case (.renewal, let present?): certificate = try authority.renew(present.certificate)
      case (_, _): certificate = try authority.sign(standard.template, for: key)
      }
      let identity = TLSIdentity(certificate: certificate, key: key)
      notes += try write(
        identity,
        to: standard.files,
        password: standard.hasPackages ? Self.defaultPassword : nil
      )
    }
    return notes
  }

  private func completeAuthority(_ key: PrivateKey) throws(TLSSetupError) -> CertificateAuthority {
    guard SystemPath.exists(caFile) else {
      let authority = try CertificateAuthority(key: key)
      try writeAuthority(authority)
      return authority
    }
    let authority = try authority()
    guard authority.certificate.expiresTooSoon else { return authority }
    let renewed = try authority.renewed()
    try writeAuthority(renewed)
    return renewed
  }

  private func completeRevocationList(_ authority: CertificateAuthority) throws(TLSSetupError) {
    let lists = try revocationLists()
    if lists.contains(where: { $0.isSigned(by: authority.certificate) }) { return }
    try write(try authority.revocationList(), beside: lists)
  }

  /// The keys of all files, in order: read where they exist, generated in parallel where they do not.
  private static func keys(
    _ files: [Files],
    _ algorithms: [PrivateKey.Algorithm]
  ) throws(TLSSetupError) -> [PrivateKey] {
    var results = [Result<PrivateKey, TLSSetupError>?](repeating: nil, count: files.count)
    results.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let slots = buffer
      DispatchQueue.concurrentPerform(iterations: files.count) { index in
        slots[index] = Result { () throws(TLSSetupError) in
          let file = files[index].key
          if SystemPath.exists(file) { return try PEMFile.privateKey(file, password: nil) }
          return try PrivateKey.generate(algorithms[index])
        }
      }
    }
    var keys: [PrivateKey] = []
    for result in results { if let result { keys.append(try result.get()) } }
    return keys
  }
}

extension X509Certificate {
  /// True if a CA of ours made it, whether or not it is the present one.
  var isOurs: Bool {
    let name = X509_get_issuer_name(pointer)
    let own = CertificateTemplate.authority().subject
    return own.allSatisfy { part in
      var text = [CChar](repeating: 0, count: 128)
      let length = X509_NAME_get_text_by_NID(name, part.nid, &text, 128)
      guard length == part.value.utf8.count else { return false }
      return text.prefix(Int(length)).map { UInt8(bitPattern: $0) } == Array(part.value.utf8)
    }
  }

  /// True if it is valid for less than ten years.
  var expiresTooSoon: Bool {
    (UnixTime.seconds(X509_get0_notAfter(pointer)) ?? 0) < UnixTime.now + CertificateTemplate.years(10)
  }
}
