import ArgumentParser

/// `apnsim feedback …`: the feedback service, as a provider meets it and as a test scripts it.
struct FeedbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedback",
    abstract: "Read the feedback service, or show and change its lists.",
    subcommands: [
      FeedbackReadCommand.self, FeedbackListCommand.self, FeedbackAddCommand.self, FeedbackClearCommand.self,
    ]
  )
}
