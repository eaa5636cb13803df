import APNSimWire
import ArgumentParser

/// `apnsim scenario show`: what a running server started from.
struct ScenarioShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the scenario of a running server, as JSON that \"serve --scenario\" reads.",
    discussion: "With --json, on one line."
  )

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.get, "scenario"))
    output.show(answer) { _ in JSONText.lines(answer) }
  }
}
