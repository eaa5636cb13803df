import APNSimTLS
import ArgumentParser

/// `apnsim certs init`: what the first `serve` does for certificates, without serving.
struct CertificatesInitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make the CA, server, provider and device certificates, where there are none yet.",
    discussion: """
      What is there stays as it is, but for what would expire within ten years: that is renewed, and its key stays.
      """
  )

  @OptionGroup var directory: CertificateDirectoryOptions

  @Option(name: .customLong("key-type"), help: "The keys: rsa, which old clients read, or ec.")
  var algorithm = PrivateKey.Algorithm.rsa2048

  func run() throws {
    let directory = try directory.prepared(algorithm: algorithm)
    // Another one may have been put there.
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
    abstract: "Give the CA and every certificate it signed another 20 years; the keys stay."
  )

  @OptionGroup var directory: CertificateDirectoryOptions

  func run() throws {
    let renewed = try directory.existing().renew()
    for note in renewed.notes { Output.note("apnsim: note: \(note)") }
    Output.lines(renewed.names.map { "\(directory.path)/\($0)" })
  }
}
