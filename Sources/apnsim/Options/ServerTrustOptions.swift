import ArgumentParser

/// Which server is believed, and where the certificates are by default.
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
