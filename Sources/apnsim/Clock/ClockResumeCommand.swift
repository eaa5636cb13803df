import ArgumentParser

/// `apnsim clock resume`
struct ClockResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Let a clock that was stopped go on."
  )

  @OptionGroup var clock: ClockOptions

  func run() async throws { try await clock.run(ControlRequest(.post, "clock", "resume")) }
}
