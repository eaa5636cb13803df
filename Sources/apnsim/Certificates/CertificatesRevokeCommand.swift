import APNSimTLS
import ArgumentParser

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
