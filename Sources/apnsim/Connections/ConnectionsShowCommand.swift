import APNSimWire
import ArgumentParser

/// `apnsim connections show c3`
struct ConnectionsShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one connection with its resend report: what failed, was discarded, sent again, or lost."
  )

  @Argument(help: "The connection's id, such as c3.") var connection: String

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.get, "connections", connection))
    output.show(answer) { ConnectionText.lines(answer, $0) }
  }
}
