import APNSimWire
import ArgumentParser

/// `apnsim connections kill c3 --mode rst`
struct ConnectionsKillCommand: AsyncParsableCommand {
  /// How it ends.
  enum Mode: String, ExpressibleByArgument, CaseIterable {
    case fin
    case rst
    case shutdown
  }

  static let configuration = CommandConfiguration(
    commandName: "kill",
    abstract: "End an open connection: fin closes it, rst resets it, shutdown sends status 10 first."
  )

  @Argument(help: "The connection's id, such as c3.") var connection: String
  @Option(help: "How to end it.") var mode = Mode.fin

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    var request = ControlRequest(.delete, "connections", connection)
    request.query = [("mode", mode.rawValue)]
    output.confirm(try await control.client().json(request), "\(connection): \(mode.rawValue)")
  }
}
