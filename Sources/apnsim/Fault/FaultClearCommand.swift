import APNSimWire
import ArgumentParser

/// `apnsim fault clear`
struct FaultClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Take every rule away, those of the scenario as well."
  )

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.delete, "faults"))
    output.confirm(answer, "there are no faults any more")
  }
}
