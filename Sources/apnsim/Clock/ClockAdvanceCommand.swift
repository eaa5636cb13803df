import APNSimCore
import APNSimWire
import ArgumentParser

/// `apnsim clock advance 2h`
struct ClockAdvanceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "advance",
    abstract: "Move the clock forward: 90s, 10m, 2h, 28d, 1h30m."
  )

  @Argument(help: ArgumentHelp("The duration.", valueName: "duration")) var span: String

  @OptionGroup var clock: ClockOptions

  func validate() throws {
    guard let time = TimeSpan(span), time >= .zero else {
      throw ValidationError("expected a duration such as 90s, 10m, 2h or 28d, found \"\(span)\"")
    }
  }

  func run() async throws {
    try await clock.run(ControlRequest(.post, "clock", "advance").with(.object(["by": .string(span)])))
  }
}
