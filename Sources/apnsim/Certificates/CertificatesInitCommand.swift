import APNSimTLS
import ArgumentParser

/// `apnsim certs init`: what the first `serve` does for certificates, without serving.
struct CertificatesInitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make the CA, server, provider and device certificates that do not exist yet.",
    discussion: """
      Existing files are kept. A certificate that would expire within ten years is renewed; its key stays the same.
      """
  )

  @OptionGroup var directory: CertificateDirectoryOptions

  @Option(
    name: .customLong("key-type"),
    help: ArgumentHelp("The type of the keys: rsa, which old clients read, or ec.", valueName: "type")
  )
  var algorithm = PrivateKey.Algorithm.rsa2048

  @Option(
    name: .customLong("server-name"),
    help: ArgumentHelp(
      "A further name or address in the gateway's certificate, which is made anew under its key; may be repeated.",
      valueName: "name"
    )
  )
  var serverNames: [String] = []

  func validate() throws {
    for name in serverNames where !CertificateTemplate.isServerName(name) {
      throw ValidationError("--server-name: expected a DNS name or an address, found \"\(name)\"")
    }
  }

  func run() throws {
    let directory = try directory.prepared(algorithm: algorithm, serverNames: serverNames)
    // Another set may have been installed there.
    let provider = try PeerCertificate(file: directory.provider.certificate)
    Output.lines(
      Table.lines([
        ["CA", directory.caFile],
        ["provider", directory.provider.certificate],
        ["", "\(directory.provider.pkcs12), password \(PKIDirectory.defaultPassword)"],
        ["topic", provider.topicNames.joined(separator: ", ")],
      ])
    )
  }
}

/// `apnsim certs renew`: new certificates for the keys that are there.
struct CertificatesRenewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renew",
    abstract:
      "Renew the CA and every certificate it signed and has not revoked for another 20 years; the keys stay the same."
  )

  @OptionGroup var directory: CertificateDirectoryOptions

  func run() throws {
    let renewed = try directory.existing().renew()
    for note in renewed.notes { Output.note("apnsim: note: \(note)") }
    Output.lines(renewed.names.map { "\(directory.path)/\($0)" })
  }
}
