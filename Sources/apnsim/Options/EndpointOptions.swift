public import APNSimCore
import APNSimTLS
public import ArgumentParser
import Foundation

/// Where a provider command connects, and with which certificate.
///
/// Each value is looked for in the flags, then in `--endpoints-file`, then in the `APNSIM_*` variables that
/// `apnsim exec` exports, then in the certificates directory.
struct EndpointOptions: ParsableArguments {
  @Option(help: "The host to connect to (default: 127.0.0.1).")
  var host: String?

  @Option(help: "The port to connect to (default: 2195, for feedback 2196; in the sandbox 2295 and 2296).")
  var port: UInt16?

  @Option(help: "Which of the two services: production or sandbox.")
  var environment = PushEnvironment.production

  @Option(
    name: .customLong("endpoints-file"),
    help: "Take host, ports and certificates from the file that a server wrote.",
    completion: .file(extensions: ["json"])
  )
  var endpointsFile: String?

  @OptionGroup var credentials: CredentialOptions
}

extension PushEnvironment: ExpressibleByArgument {}
