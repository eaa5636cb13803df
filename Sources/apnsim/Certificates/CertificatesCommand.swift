import APNSimScenario
import APNSimSystem
import APNSimTLS
import ArgumentParser

/// `apnsim certs …`: the simulator's own CA and what it signs.
struct CertificatesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "certs",
    abstract: "Make, revoke and show certificates, keys and provider tokens.",
    discussion: """
      "apnsim serve" makes everything it needs on its first start. These commands make more: a provider \
      certificate for each topic, a revoked one, or files in the format your provider reads.
      """,
    subcommands: [
      CertificatesInitCommand.self, CertificatesIssueCommand.self, CertificatesRevokeCommand.self,
      CertificatesListCommand.self, CertificatesExportCommand.self, CertificatesRenewCommand.self,
      CertificatesKeyCommand.self, CertificatesJWTCommand.self,
    ]
  )
}

/// The option that names the directory with the certificates.
struct CertificateDirectoryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The directory with the CA and certificates (default: APNSIM_CERTS, else certs).",
      valueName: "directory"
    ),
    completion: .directory
  )
  var certs: String?

  /// The given directory, else that of `serve` and `exec`.
  var path: String { Self.path(certs) }

  static func path(_ named: String?) -> String {
    if let named { return named }
    let said = ProcessVariables["APNSIM_CERTS"] ?? ""
    return said.isEmpty ? "certs" : said
  }

  /// The directory with everything a simulator needs in it.
  func prepared(
    algorithm: PrivateKey.Algorithm = .rsa2048,
    serverNames: [String] = []
  ) throws -> PKIDirectory {
    let directory = try PKIDirectory.prepare(path, algorithm: algorithm, serverNames: serverNames)
    for note in directory.notes { Output.note("apnsim: note: \(note)") }
    return directory
  }

  /// The existing directory, which has to have a CA.
  func existing() throws -> PKIDirectory {
    let directory = PKIDirectory(path: path)
    guard SystemPath.exists(directory.caFile) else {
      try CommandFailure.checkMayRead(directory.caFile)
      throw CommandFailure(
        .badConfiguration,
        "\(path): has no CA",
        hints: ["\"apnsim certs init\" makes one; if a server has one, --certs DIR says where"]
      )
    }
    return directory
  }
}

extension PrivateKey.Algorithm: ExpressibleByArgument {}

/// `apnsim certs revoke`: what Apple does to a provider that misbehaves.
struct CertificatesRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Put a certificate on the revocation list.",
    discussion: "A running server reloads the list and refuses the next handshake with the certificate."
  )

  @Argument(help: "The certificate: PEM, DER or PKCS#12.", completion: .file())
  var file: String

  @OptionGroup var directory: CertificateDirectoryOptions

  @Option(help: "The password of a PKCS#12 file.")
  var password = PKIDirectory.defaultPassword

  func run() throws {
    let revoked = try directory.existing().revoke(file, password: password)
    let what = "\(revoked.certificate.subject), serial \(revoked.certificate.serial)"
    Output.line(revoked.wasRevoked ? "already revoked: \(what)" : "revoked \(what)")
  }
}
