import APNSimSystem

/// The directory of certificates and keys (`certs/`): made on the first start, reused on later ones.
///
/// ```
/// ca.pem ca.key              the CA; clients are given ca.pem
/// crl.pem                    its revocation list
/// server.pem server.key      for localhost, 127.0.0.1, ::1 and the names that were asked for
/// NAME.pem NAME.key          a certificate alone, and its key (PKCS#8)
/// NAME-combined.pem          both in one file, the certificate first, for clients that take one file
/// NAME.p12 NAME-legacy.p12   both in PKCS#12, password "apnsim", in today's and the old encryption
///                            (NAME: provider for production, provider-sandbox)
/// device.pem device.key      a device's identity (EC P-256)
/// token.key                  the key of issued device tokens: 64 random bytes in hexadecimal
/// AuthKey_ID.p8              a key of provider tokens (EC P-256, PKCS#8), as Apple gives them out
/// AuthKey_ID.json            what it is good for, where that is not everything
/// ```
///
/// The CA signs everything directly, so only certificates that somebody else put there have a chain. Keys and files
/// with keys have mode 0600. Files are replaced in one step, and processes take turns (`.lock`), so that two
/// simultaneous first starts end with one set.
package struct PKIDirectory: Sendable {
  /// The topic of the ready-made provider certificates.
  package static let defaultTopic = "com.example.app"
  /// The identifier of the ready-made key of provider tokens, and its team.
  package static let defaultProviderKey = "APNSIMKEY1"
  package static let defaultTeam = "APNSIMTEAM"
  /// The password of PKCS#12 files unless another is asked for.
  package static let defaultPassword = "apnsim"

  package let path: String
  /// Remarks on what could not be done, such as on a missing legacy provider for `-legacy.p12`.
  package internal(set) var notes: [String] = []
  /// The names that the server's certificate is to have beside the usual ones; empty for those that it has.
  var serverNames: [String] = []
  /// The identities that ``prepare(_:algorithm:)`` has read and checked.
  private(set) var identities: [Files: TLSIdentity] = [:]

  /// Opens the directory unchanged. Most callers want ``prepare(_:algorithm:)``.
  package init(path: String) { self.path = path }

  package func file(_ name: String) -> String { path + "/" + name }

  /// The file of a key of provider tokens, by its identifier.
  package func file(providerKey id: String) -> String { file("AuthKey_\(id).p8") }

  package var caFile: String { file("ca.pem") }
  package var crlFile: String { file("crl.pem") }
  package var tokenKeyFile: String { file("token.key") }
  /// The key of provider tokens that is made first.
  package var providerKeyFile: String { file(providerKey: Self.defaultProviderKey) }
  package var server: Files { Files(prefix: file("server")) }
  /// The provider for production.
  package var provider: Files { Files(prefix: file("provider")) }
  package var sandboxProvider: Files { Files(prefix: file("provider-sandbox")) }
  package var device: Files { Files(prefix: file("device")) }

  /// The trust of a listener with these certificates.
  package var trust: TLSTrust { .authority(caFiles: [caFile], crlFiles: [crlFile]) }

  var authorityFiles: Files { Files(prefix: file("ca")) }
  var lockFile: String { file(".lock") }

  /// The paths that belong to one certificate.
  package struct Files: Sendable, Hashable {
    /// The common beginning of the paths.
    package var prefix: String

    package init(prefix: String) { self.prefix = prefix }

    package var certificate: String { prefix + ".pem" }
    package var key: String { prefix + ".key" }
    package var combined: String { prefix + Self.combinedSuffix }
    package var pkcs12: String { prefix + ".p12" }
    package var legacyPKCS12: String { prefix + "-legacy.p12" }

    static let combinedSuffix = "-combined.pem"

    /// Reads certificate and key, and checks that they belong together.
    package func identity() throws(TLSSetupError) -> TLSIdentity {
      try TLSIdentity(certificateFile: certificate, keyFile: key)
    }
  }

  /// The identity in some of the directory's files, cached if it was read before.
  package func identity(of files: Files) throws(TLSSetupError) -> TLSIdentity {
    if let known = identities[files] { return known }
    return try files.identity()
  }

  mutating func remember(_ identity: TLSIdentity, of files: Files) { identities[files] = identity }

  /// Reads the key of issued device tokens.
  package func tokenKey() throws(TLSSetupError) -> [UInt8] {
    let text = try SetupFile.read(tokenKeyFile).filter { ![9, 10, 13, 32].contains($0) }
    guard let key = Hexadecimal.bytes(text), key.count == TokenCipher.keySize else {
      throw TLSSetupError(
        file: tokenKeyFile,
        reason: "expected \(TokenCipher.keySize * 2) hexadecimal digits, found \(text.count) characters",
        hint: "delete the file to get a new key; tokens issued with the old one become invalid"
      )
    }
    return key
  }

  package func authority() throws(TLSSetupError) -> CertificateAuthority {
    guard SystemPath.exists(authorityFiles.key) else {
      let isCAThere = SystemPath.exists(caFile)
      throw TLSSetupError(
        file: authorityFiles.key,
        reason: "the CA's key is missing, so nothing can be signed",
        hint: isCAThere
          ? "put it back, or delete \(caFile) to get a new CA"
          : "\"apnsim certs init\" makes a CA; if a server has one, --certs DIR says where"
      )
    }
    let identity = try authorityFiles.identity()
    return CertificateAuthority(certificate: identity.certificate, key: identity.key)
  }
}
