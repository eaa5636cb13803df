import APNSimWire
import ArgumentParser

/// `apnsim reset`: between two tests.
struct ResetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Put a running server back to where its scenario begins.",
    discussion: """
      To the state just after its start, or after the last "scenario load": devices, feedback, rules, clock and \
      history. Providers' connections stay open; devices are told to connect again.
      """
  )

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    output.confirm(
      try await control.client().json(ControlRequest(.post, "reset")),
      "reset: the scenario begins anew"
    )
  }
}
