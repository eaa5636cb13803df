import APNSimWire
import ArgumentParser

/// `apnsim reset`: between two tests.
struct ResetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Return a running server to the start of its scenario.",
    discussion: """
      Restores the state just after its start, or after the last "scenario load": devices, feedback, rules, clock \
      and history. Providers' connections stay open; devices are told to reconnect.
      """
  )

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    output.confirm(
      try await control.client().json(ControlRequest(.post, "reset")),
      "reset to the start of the scenario"
    )
  }
}
