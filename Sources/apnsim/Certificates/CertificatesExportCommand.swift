import APNSimServer
import APNSimSystem
import APNSimTLS
import ArgumentParser

/// `apnsim certs export`: a certificate of the directory in another form.
struct CertificatesExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a certificate in the format a provider reads.",
    discussion: """
      Formats: pem (certificate and key in one file), certificate (PEM, no key), der (no key), p12, \
      p12-legacy (PKCS#12 with the encryption that old clients read).
      """
  )

  @Argument(help: "The certificate's name, as in \"apnsim certs list\", with or without .pem.")
  var name: String

  @Option(help: "pem, certificate, der, p12 or p12-legacy.")
  var format = PKIDirectory.ExportFormat.pem

  @OptionGroup var directory: CertificateDirectoryOptions

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to write (default: stdout).", valueName: "file"),
    completion: .file()
  )
  var file: String?

  @Option(help: "The password of the PKCS#12 file (default: \(PKIDirectory.defaultPassword)).")
  var password: String?

  func validate() throws {
    guard password == nil || format == .p12 || format == .legacyP12 else {
      throw ValidationError("--password is for p12 and p12-legacy: \(format.rawValue) has none")
    }
  }

  func run() throws {
    let directory = try directory.existing()
    let password = password ?? PKIDirectory.defaultPassword
    if let file {
      do throws(OutputFailure) {
        try NamedFile.check(file, for: .key)
      } catch {
        throw CommandFailure(error)
      }
      try directory.export(name, as: format, password: password, to: file)
      return Output.line(file)
    }
    let isText = format == .pem || format == .certificate
    guard isText || !SystemFile.standardOutput.isTerminal else {
      throw CommandFailure(
        .usage,
        "\(format.rawValue) is binary: it is not written to a terminal",
        hints: ["use -o FILE to write it to a file"]
      )
    }
    Output.file(try directory.export(name, as: format, password: password))
  }
}

extension PKIDirectory.ExportFormat: ExpressibleByArgument {}
