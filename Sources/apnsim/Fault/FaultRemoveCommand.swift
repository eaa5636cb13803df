import APNSimWire
import ArgumentParser

/// `apnsim fault remove r1`
struct FaultRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a rule by its id or name."
  )

  @Argument(help: "The rule's id, such as r1, or its name.") var fault: String

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.delete, "faults", fault))
    output.confirm(answer, "removed \(fault)")
  }
}
