import ArgumentParser

/// `apnsim clock resume`
struct ClockResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Let a stopped clock run again."
  )

  @OptionGroup var clock: ClockOptions

  func run() async throws { try await clock.run(ControlRequest(.post, "clock", "resume")) }
}
