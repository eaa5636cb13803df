import ArgumentParser

/// `apnsim clock …`: the time that a running server goes by.
struct ClockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock",
    abstract: "See and move the clock of a running server.",
    discussion: """
      One clock drives expiry, storage, feedback times, timelines and delays. What is due on the way happens, in \
      its order, before a command here returns.
      """,
    subcommands: [
      ClockShowCommand.self, ClockAdvanceCommand.self, ClockSetCommand.self, ClockFreezeCommand.self,
      ClockResumeCommand.self,
    ],
    defaultSubcommand: ClockShowCommand.self
  )
}
