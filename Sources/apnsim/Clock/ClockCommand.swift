import ArgumentParser

/// `apnsim clock …`: the time that a running server goes by.
struct ClockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock",
    abstract: "Show and move the clock of a running server.",
    discussion: """
      One clock drives expiry, storage, feedback timestamps, timelines and delays. Everything that falls due when \
      the clock moves happens, in order, before the command returns.
      """,
    subcommands: [
      ClockShowCommand.self, ClockAdvanceCommand.self, ClockSetCommand.self, ClockFreezeCommand.self,
      ClockResumeCommand.self,
    ],
    defaultSubcommand: ClockShowCommand.self
  )
}
