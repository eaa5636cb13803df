import APNSimWire
import ArgumentParser

/// `apnsim fault clear`
struct FaultClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Remove every rule, including those of the scenario."
  )

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.delete, "faults"))
    output.confirm(answer, "removed every fault")
  }
}
