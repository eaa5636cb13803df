import APNSimCore
import APNSimScenario
import ArgumentParser

/// `apnsim serve`: the simulator.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run the simulator (the default subcommand).",
    discussion: """
      Every setting can be given as a flag (--badge-absent clear), as an environment variable \
      (APNSIM_BADGE_ABSENT=clear), in a scenario's settings or in the --config file (badgeAbsent: clear). \
      Flags override the environment, the environment overrides the scenario, and the scenario the file.

      With --state DIR, devices, stored notifications, feedback, rules, clock and history outlive the process, however it \
      ends. With --ephemeral there is a state only where --state is on the command line.

      SSLKEYLOGFILE names a file to write TLS session secrets to, for Wireshark.

      Quirks:
      \(quirks)
      """
  )

  /// One paragraph per quirk: what it does and where it was seen.
  private static var quirks: String {
    Quirks.all.map { "\($0.name): \($0.effect). Seen: \($0.seen)." }.joined(separator: "\n")
  }

  @OptionGroup(title: "Server") var ports: SettingOptions<PortFlags>
  @OptionGroup(title: "Server") var server: SettingOptions<ServerFlags>
  @OptionGroup(title: "Behaviour") var core: SettingOptions<CoreFlags>
  @OptionGroup(title: "This run") var run: SettingOptions<RunFlags>

  @Flag(name: .customLong("no-color"), help: "Disable colour, as NO_COLOR does.")
  var noColor = false

  func validate() throws { _ = try flags() }

  func run() async throws {
    let layers = SettingLayers(
      flags: try flags(),
      environment: ProcessVariables.all
    )
    for warning in layers.warnings { Output.note(warning) }
    try await ServeRun(plan: try layers.plan(), noColor: noColor).run()
  }

  private func flags() throws(ValidationError) -> [SettingAssignment] {
    try FlagAssignments.read(ports.values + server.values + core.values + run.values)
  }
}
