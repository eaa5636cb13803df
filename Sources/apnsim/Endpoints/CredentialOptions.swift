import APNSimProvider
import ArgumentParser

/// With which certificate a provider comes, and which server it believes.
struct CredentialOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The provider certificate: PEM, or PKCS#12 if its name ends in .p12 (default: APNSIM_PROVIDER_CERT unless \
      --certs is given, else provider.pem in --certs; over http2 none, but a token).
      """,
      valueName: "file"
    ),
    completion: .file()
  )
  var cert: String?

  @Option(
    help: ArgumentHelp("The private key, PEM (default: in the certificate's file).", valueName: "file"),
    completion: .file()
  )
  var key: String?

  @Option(help: "The password of the key or PKCS#12 file (default: apnsim).")
  var password: String?

  @OptionGroup var server: ServerTrustOptions

  func validate() throws {
    guard let cert, key != nil, ProviderTarget.isPKCS12(cert) else { return }
    throw ValidationError("--key is for PEM: \(cert) contains its key")
  }
}

/// The server that is believed, and the default place of its certificates.
struct ServerTrustOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The directory with the certificates of \"apnsim serve\" (default: APNSIM_CERTS, else certs).",
      valueName: "directory"
    ),
    completion: .directory
  )
  var certs: String?

  @Option(
    help: ArgumentHelp(
      "The CA that must have signed the server's certificate (default: ca.pem in --certs).",
      valueName: "file"
    ),
    completion: .file()
  )
  var ca: String?

  @Flag(help: "Accept any server certificate.")
  var insecure = false

  func validate() throws {
    guard ca == nil || !insecure else {
      throw ValidationError("--ca and --insecure are mutually exclusive: leave one out")
    }
  }
}
