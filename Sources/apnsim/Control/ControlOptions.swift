import ArgumentParser
import Foundation

/// Which running server a command speaks to.
struct ControlOptions: ParsableArguments {
  @Option(
    help: """
      The server's control API (default: APNSIM_CONTROL_URL, else that of APNSIM_ENDPOINTS_FILE, else \
      http://127.0.0.1 with APNSIM_CONTROL_PORT or 2199).
      """,
    completion: .default
  )
  var control: ControlURL?

  @Option(
    name: .customLong("endpoints-file"),
    help: "Take it from the file that the server wrote.",
    completion: .file(extensions: ["json"])
  )
  var endpointsFile: String?

  @Option(
    name: .customLong("control-token"),
    help: "The token that it wants (default: APNSIM_CONTROL_TOKEN)."
  )
  var token: String?

  @Option(help: "One of its sandboxes instead of the server itself.")
  var sandbox: String?

  func validate() throws {
    guard sandbox != "" else {
      throw ValidationError("--sandbox: expected the name of a sandbox such as s1, found an empty one")
    }
  }

  /// The client for the server that is meant.
  func client() throws -> ControlClient {
    ControlClient(
      target: try ControlTarget.resolve(self, environment: ProcessInfo.processInfo.environment)
    )
  }
}
