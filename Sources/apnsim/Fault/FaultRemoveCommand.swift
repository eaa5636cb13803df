import APNSimWire
import ArgumentParser

/// `apnsim fault remove r1`
struct FaultRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Take a rule away, by its id or name."
  )

  @Argument(help: "Its id (r1), or its name.") var fault: String

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.delete, "faults", fault))
    output.confirm(answer, "\(fault) is removed")
  }
}
