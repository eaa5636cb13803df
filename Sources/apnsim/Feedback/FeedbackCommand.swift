import ArgumentParser

/// `apnsim feedback …`: the feedback service, as a provider meets it.
struct FeedbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedback",
    abstract: "Read the feedback service.",
    subcommands: [FeedbackReadCommand.self]
  )
}
