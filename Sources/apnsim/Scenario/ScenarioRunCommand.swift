import APNSimCore
import APNSimScenario
import APNSimServer
import ArgumentParser

/// `apnsim scenario run FILE`: plays a scenario and looks whether what it expects is so.
struct ScenarioRunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Play a scenario and check its expectations (exit 1 if any is not met).",
    discussion: """
      Uses no network by default: the file's "traffic" goes through the same gateway and feedback service as in \
      "apnsim serve", on a virtual clock, without waiting. The same file and seed give the same journal, byte for \
      byte.

      With --listen, the scenario is served on free ports and its traffic is sent over TLS, with the simulator's \
      own certificates. Other providers may join; the run ends when all expectations are met, or at --timeout.
      """
  )

  @Argument(
    help: "The scenario, YAML or JSON, or the name of one that ships; - for stdin.",
    completion: .file(extensions: ["yaml", "yml", "json"])
  )
  var file: String

  @Option(help: ArgumentHelp("Use this seed instead of the file's.", valueName: "number"))
  var seed: UInt64?

  @Option(help: ArgumentHelp("Write the journal to a file.", valueName: "file"), completion: .file())
  var journal: String?

  @Flag(help: "Serve the scenario on free ports and drive its traffic over TLS.")
  var listen = false

  @OptionGroup(title: "With --listen") var network: ScenarioNetworkOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard listen || !network.isGiven else {
      throw ValidationError("--timeout, --certs and --endpoints-file require --listen")
    }
    try network.timeout?.requireSome("--timeout")
    try SameFile.check(
      [("--journal", journal), ("--endpoints-file", network.endpointsFile)],
      reading: [file]
    )
  }

  func run() async throws {
    let file = ShippedScenarios.file(file)
    let script = try ScenarioFile.loadScript(file, serverSettings: ServerSetting.all.map(\.name))
    let recorder = try journal.map { try JournalFile.open($0) }
    let report: ScenarioReport
    do {
      if listen {
        report = try await NetworkRun(script, seed: seed, recorder: recorder, options: network).run()
      } else {
        report = try ScenarioRunner(script, seed: seed, recorder: recorder).run()
      }
    } catch let error as APNSimCore.CommandError {
      throw CommandFailure(
        .badConfiguration,
        "\(DocumentFile.name(of: file)): the scenario cannot be set up: \(error)"
      )
    }
    try recorder?.close()
    try report.write(report.outcomes, output)
    if !report.isSatisfied { throw CommandFailure.quiet(.failed) }
  }
}

/// The options of a scenario that is served: address and duration.
struct ScenarioNetworkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("How long to wait for the expectations: 10s (the default), 5m.", valueName: "duration")
  )
  var timeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "The directory with the certificates (default: APNSIM_CERTS, else certs).",
      valueName: "directory"
    ),
    completion: .directory
  )
  var certs: String?

  @Option(
    name: .customLong("endpoints-file"),
    help: ArgumentHelp("Write the endpoints to a file, for providers that join.", valueName: "file"),
    completion: .file()
  )
  var endpointsFile: String?

  var isGiven: Bool { timeout != nil || certs != nil || endpointsFile != nil }
}
