import ArgumentParser

/// `apnsim fault …`: what goes wrong on a running server, and when.
struct FaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fault",
    abstract: "Make things go wrong on a running server.",
    subcommands: [
      FaultAddCommand.self, FaultListCommand.self, FaultRemoveCommand.self, FaultClearCommand.self,
    ]
  )
}
