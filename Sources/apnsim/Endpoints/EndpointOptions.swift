public import APNSimCore
import APNSimTLS
public import ArgumentParser

/// The address that a provider command connects to, and the certificate that it shows.
///
/// Each value is looked for in the flags, then in `--endpoints-file`, then in the `APNSIM_*` variables that
/// `apnsim exec` exports, then in the certificates directory.
struct EndpointOptions: ParsableArguments {
  @Option(help: "The host to connect to (default: APNSIM_HOST, else 127.0.0.1).")
  var host: String?

  @Option(
    help: """
      The port to connect to (default: APNSIM_GATEWAY_PORT, else 2195, for feedback APNSIM_FEEDBACK_PORT, else 2196, \
      for http2 APNSIM_HTTP2_PORT, else 2197; \
      in the sandbox APNSIM_SANDBOX_GATEWAY_PORT, else 2295, and so on).
      """
  )
  var port: UInt16?

  @Option(help: "The environment: production or sandbox.")
  var environment = PushEnvironment.production

  @Option(
    name: .customLong("endpoints-file"),
    help: ArgumentHelp(
      "Read host, ports and certificates from a server's endpoints file.",
      valueName: "file"
    ),
    completion: .file(extensions: ["json"])
  )
  var endpointsFile: String?

  @OptionGroup var credentials: CredentialOptions
}

extension PushEnvironment: ExpressibleByArgument {}
