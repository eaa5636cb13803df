import ArgumentParser

/// `apnsim clock freeze`
struct ClockFreezeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "freeze",
    abstract: "Stop the clock; advance and set still move it."
  )

  @OptionGroup var clock: ClockOptions

  func run() async throws { try await clock.run(ControlRequest(.post, "clock", "freeze")) }
}
