import APNSimSystem

extension PKIDirectory {
  /// A request for a certificate.
  package struct Request: Sendable {
    package enum Holder: Sendable {
      /// A provider. The first topic is the default one; several go into the topics extension.
      case provider(topics: [TopicsExtension.Topic], environments: CertificateEnvironments)
      case device(name: String)
    }

    package var holder: Holder
    package var algorithm = PrivateKey.Algorithm.rsa2048
    /// The password of the PKCS#12 files.
    package var password = PKIDirectory.defaultPassword
    /// The path of the files without ".pem" and the like; `nil` for a file in the directory, named for the topic and,
    /// unless it is production, the environment.
    package var prefix: String?

    package init(_ holder: Holder) { self.holder = holder }

    /// Requests a device's certificate, with an EC key as devices have.
    package init(device name: String) {
      self.init(.device(name: name))
      algorithm = .p256
    }

    package init(topic: String, environments: CertificateEnvironments = .production) {
      self.init(.provider(topics: [.init(name: topic)], environments: environments))
    }
  }

  /// The paths of a certificate's files, whether or not they exist.
  package func files(of request: Request) -> Files {
    Files(prefix: request.prefix ?? file(Self.name(request.holder)))
  }

  /// An issued certificate.
  package struct Issued: Sendable {
    package var files: Files
    package var certificate: PeerCertificate
    /// Remarks for the user, such as on a missing legacy provider for `-legacy.p12`.
    package var notes: [String]
  }

  /// Issues a certificate with a key of its own. Existing files are replaced, unless their name is derived and they
  /// belong to another holder: two names may give one file name.
  package func issue(_ request: Request) throws(TLSSetupError) -> Issued {
    let key = try key(for: request)
    return try SetupFile.withLock(lockFile) { () throws(TLSSetupError) in try issue(request, key) }
  }

  /// Issues a certificate unless there is one: another process may issue it at the same time.
  /// - Returns: nil if there is one already.
  package func issueIfMissing(_ request: Request) throws(TLSSetupError) -> Issued? {
    let file = files(of: request).certificate
    if SystemPath.exists(file) { return nil }
    let key = try key(for: request)
    return try SetupFile.withLock(lockFile) { () throws(TLSSetupError) in
      SystemPath.exists(file) ? nil : try issue(request, key)
    }
  }

  /// Generates a key, after checking that the certificate can be made.
  private func key(for request: Request) throws(TLSSetupError) -> PrivateKey {
    let files = files(of: request)
    guard !isReserved(files, for: request.holder) else {
      throw TLSSetupError(
        file: files.certificate,
        reason: "this name belongs to the directory itself",
        hint: "choose another one with -o"
      )
    }
    _ = try Self.template(request.holder)
    // Without a CA nothing is issued, and there is no directory to lock.
    _ = try authority()
    return try PrivateKey.generate(request.algorithm)
  }

  /// Issues a certificate. The caller holds the lock.
  private func issue(_ request: Request, _ key: PrivateKey) throws(TLSSetupError) -> Issued {
    let files = files(of: request)
    let certificate = try authority().sign(Self.template(request.holder), for: key)
    if request.prefix == nil { try check(files, areOf: PeerCertificate(certificate)) }
    let identity = TLSIdentity(certificate: certificate, key: key)
    let notes = try write(identity, to: files, password: request.password)
    return Issued(files: files, certificate: PeerCertificate(certificate), notes: notes)
  }

  /// Checks that an existing certificate in these files has the same holder.
  private func check(_ files: Files, areOf new: PeerCertificate) throws(TLSSetupError) {
    guard SystemPath.exists(files.certificate), let old = try? PeerCertificate(file: files.certificate),
      old.subject != new.subject
    else { return }
    throw TLSSetupError(
      file: files.certificate,
      reason: "belongs to another holder: \(old.subject)",
      hint: "choose another name with -o"
    )
  }

  /// True if files are the directory's own, however the path to them is written: those that belong to no holder, or
  /// those of the default provider or device.
  private func isReserved(_ files: Files, for holder: Request.Holder) -> Bool {
    let slash = files.prefix.lastIndex(of: "/")
    let name = slash.map { files.prefix[files.prefix.index(after: $0)...] } ?? files.prefix[...]
    let others = if case .device = holder { ["provider", "provider-sandbox"] } else { ["device"] }
    guard (["ca", "crl", "server", "token"] + others).contains(String(name)) else { return false }
    let folder = slash.map { String(files.prefix[...$0]) } ?? "."
    guard let found = SystemPath.facts(folder), let own = SystemPath.facts(path) else { return false }
    return found.identity == own.identity
  }

  private static func template(_ holder: Request.Holder) throws(TLSSetupError) -> CertificateTemplate {
    switch holder {
    case .provider(let topics, let environments):
      guard !topics.isEmpty else { throw TLSSetupError(reason: "a provider certificate needs a topic") }
      guard topics.count <= TopicsExtension.limit else {
        throw TLSSetupError(reason: "more than \(TopicsExtension.limit) topics in one certificate")
      }
      guard !environments.isEmpty else {
        throw TLSSetupError(reason: "a provider certificate needs an environment")
      }
      for topic in topics { try check(topic.name, "topic") }
      return .provider(topics: topics, environments: environments)
    case .device(let name):
      try check(name, "device name")
      return .device(name: name)
    }
  }

  private static func check(_ name: String, _ what: String) throws(TLSSetupError) {
    guard (1...255).contains(name.utf8.count), !name.unicodeScalars.contains(where: { $0.value < 0x20 })
    else {
      throw TLSSetupError(reason: "a \(what) has 1 to 255 bytes without control characters")
    }
  }

  /// The file name of a holder: any character but letters, digits and "-._" becomes "_".
  private static func name(_ holder: Request.Holder) -> String {
    let text: String
    switch holder {
    case .provider(let topics, let environments):
      let suffix = environments == .production ? "" : environments == .sandbox ? "-sandbox" : "-both"
      text = (topics.first?.name ?? "") + suffix
    case .device(let name): text = "device-" + name
    }
    let safe = text.unicodeScalars.map { scalar -> Character in
      let isSafe =
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "-._".unicodeScalars.contains(scalar)
      return isSafe ? Character(scalar) : "_"
    }
    return safe.first == "." ? "_" + String(safe.dropFirst()) : String(safe)
  }
}
