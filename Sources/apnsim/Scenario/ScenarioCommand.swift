import ArgumentParser

/// `apnsim scenario …`: situations in files, checked, run and listed.
struct ScenarioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract: "Check, run and list scenario files.",
    subcommands: [ScenarioCheckCommand.self, ScenarioRunCommand.self, ScenarioListCommand.self]
  )
}
