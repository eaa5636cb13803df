import ArgumentParser

/// `apnsim scenario …`: situations in files, checked, run, listed, and given to a running server.
struct ScenarioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract: "Check, run and list scenario files; load one into a running server.",
    subcommands: [
      ScenarioCheckCommand.self, ScenarioRunCommand.self, ScenarioListCommand.self, ScenarioLoadCommand.self,
      ScenarioShowCommand.self,
    ]
  )
}
