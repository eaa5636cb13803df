import ArgumentParser

/// Which server is believed, and where the certificates are by default.
struct ServerTrustOptions: ParsableArguments {
  @Option(
    help: "The directory with the certificates of \"apnsim serve\" (default: APNSIM_CERTS, else certs).",
    completion: .directory
  )
  var certs: String?

  @Option(
    help: "The CA that the server's certificate must be of (default: ca.pem in --certs).",
    completion: .file()
  )
  var ca: String?

  @Flag(help: "Believe any server.")
  var insecure = false

  func validate() throws {
    guard ca == nil || !insecure else {
      throw ValidationError("--ca and --insecure exclude each other: leave one of them out")
    }
  }
}
