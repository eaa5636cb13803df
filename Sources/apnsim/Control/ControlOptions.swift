import APNSimScenario
import ArgumentParser

/// The options that choose the running server.
struct ControlOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The server's control API (default: APNSIM_CONTROL_URL, else that of APNSIM_ENDPOINTS_FILE, else \
      http://127.0.0.1:2199 with APNSIM_HOST and APNSIM_CONTROL_PORT in the place of its parts).
      """,
      valueName: "url"
    ),
    completion: .default
  )
  var control: ControlURL?

  @Option(
    name: .customLong("endpoints-file"),
    help: ArgumentHelp("Read the address from the server's endpoints file.", valueName: "file"),
    completion: .file(extensions: ["json"])
  )
  var endpointsFile: String?

  @Option(
    name: .customLong("control-token"),
    help: ArgumentHelp("The token of the control API (default: APNSIM_CONTROL_TOKEN).", valueName: "token")
  )
  var token: String?

  @Option(
    help: ArgumentHelp(
      "Address this sandbox instead of the server itself (default: APNSIM_SANDBOX).",
      valueName: "id"
    )
  )
  var sandbox: String?

  func validate() throws {
    guard sandbox != "" else {
      throw ValidationError("--sandbox: expected the name of a sandbox such as s1, found an empty one")
    }
  }

  /// The client for that server.
  func client() throws -> ControlClient {
    ControlClient(
      target: try ControlTarget.resolve(self, environment: ProcessVariables.all)
    )
  }
}
