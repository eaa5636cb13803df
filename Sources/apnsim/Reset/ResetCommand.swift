import APNSimWire
import ArgumentParser

/// `apnsim reset`: between two tests.
struct ResetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Put a running server back to the state just after its start.",
    discussion: "Devices, feedback, rules, clock and history; connections stay open."
  )

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    output.confirm(try await control.client().json(ControlRequest(.post, "reset")), "as just after the start")
  }
}
