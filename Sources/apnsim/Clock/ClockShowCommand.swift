import ArgumentParser

/// `apnsim clock show`
struct ClockShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the simulated time (the default)."
  )

  @OptionGroup var clock: ClockOptions

  func run() async throws { try await clock.run(ControlRequest(.get, "clock")) }
}
