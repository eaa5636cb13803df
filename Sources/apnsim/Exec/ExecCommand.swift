import APNSimCore
import APNSimScenario
import ArgumentParser

/// `apnsim exec -- COMMAND…`: a simulator for one command, and for no longer than it.
struct ExecCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "exec",
    abstract: "Run a command with a private simulator, on free ports unless some are given.",
    usage: "apnsim exec [<serve settings> …] -- COMMAND [ARGUMENT …]",
    discussion: """
      Starts a private simulator on free ports (or those that flags give, for clients with wired-in ones: \
      --gateway-port 2195 --feedback-port 2196), runs the command, and exits with its exit code (128 plus the number \
      of the signal that killed it; 127 if it is not found, 126 if it cannot be run, 125 if the simulator \
      itself failed). The command finds the simulator through its environment:

      APNSIM_HOST, APNSIM_GATEWAY_PORT, APNSIM_FEEDBACK_PORT, APNSIM_HTTP2_PORT, APNSIM_DEVICE_PORT, \
      APNSIM_CONTROL_URL, \
      APNSIM_CA_FILE, APNSIM_PROVIDER_CERT, APNSIM_PROVIDER_KEY, APNSIM_PROVIDER_P12, APNSIM_CERTS, \
      APNSIM_AUTH_KEY, APNSIM_KEY_ID, APNSIM_TEAM_ID; with \
      --environment both or sandbox APNSIM_SANDBOX_GATEWAY_PORT, APNSIM_SANDBOX_FEEDBACK_PORT and \
      APNSIM_SANDBOX_HTTP2_PORT, with \
      --control-token APNSIM_CONTROL_TOKEN; with --no-control APNSIM_CONTROL_URL is "none"

      Other apnsim commands find the simulator the same way: apnsim exec -- apnsim send --demo

      Nothing outlives the command: processes it leaves running are ended with it, and it is ended with the \
      simulator, however that ends. Ctrl-C goes to the command; a second one within two seconds ends everything.

      Every setting of "apnsim serve" can be given before the "--", ports as flags only; a file that APNSIM_ENDPOINTS_FILE \
      names is another simulator's, and is left as it is, and so is a state that APNSIM_STATE or a configuration names: exec has \
      one only with --state. In the name of a recording, %p is the process id of \
      exec, so that parallel runs with APNSIM_RECORD in their environment do not share one. The simulator has \
      certificates of its own unless --certs names a directory: copies of those in $XDG_CACHE_HOME/apnsim/certs (else \
      ~/.cache/apnsim/certs), which are made once and may be deleted at any time.
      """
  )

  @OptionGroup(title: "Server") var ports: SettingOptions<PortFlags>
  @OptionGroup(title: "Server") var server: SettingOptions<ServerFlags>
  @OptionGroup(title: "Behaviour") var core: SettingOptions<CoreFlags>
  @OptionGroup(title: "This run") var run: SettingOptions<RunFlags>

  @Flag(name: .customLong("no-color"), help: "Disable colour, as NO_COLOR does.")
  var noColor = false

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("The command and its arguments, after --.", valueName: "command"),
    completion: .custom { words, index, prefix in
      CommandCompletion.candidates(words, index, prefix, path: ProcessVariables["PATH"] ?? "")
    }
  )
  var command: [String] = []

  func validate() throws {
    _ = try flags()
    guard !command.isEmpty else {
      throw ValidationError("exec needs a command after --: apnsim exec -- COMMAND")
    }
  }

  func run() async throws {
    do {
      let layers = SettingLayers(
        flags: try flags(),
        environment: Self.own(ProcessVariables.all)
      )
      for warning in layers.warnings { Output.note(warning) }
      let code = try await ExecRun(layers: layers, command: command, noColor: noColor).run()
      throw ExitCode(code)
    } catch let code as ExitCode {
      throw code
    } catch let failure as CommandFailure where [.usage, .unreachable].contains(failure.status) {
      throw failure
    } catch {
      CommandFailure(any: ServedSimulator.failure(error)).report()
      throw ExitCode(ExecRun.ownFailure)
    }
  }

  /// The environment without the file that speaks of an outer simulator.
  private static func own(_ environment: [String: String]) -> [String: String] {
    environment.filter { $0.key != placeOfOthers }
  }

  /// Points to another simulator, which has written the file.
  private static let placeOfOthers = "APNSIM_ENDPOINTS_FILE"

  private func flags() throws(ValidationError) -> [SettingAssignment] {
    try FlagAssignments.read(ports.values + server.values + core.values + run.values)
  }
}
