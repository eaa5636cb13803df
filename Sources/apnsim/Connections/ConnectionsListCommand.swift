import APNSimWire
import ArgumentParser

/// `apnsim connections list`
struct ConnectionsListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List connections, open and closed (the default)."
  )

  @Flag(help: "Show only open connections.") var open = false

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    var request = ControlRequest(.get, "connections")
    request.query = [("after", "c0"), ("limit", "1000")]
    if open { request.query.append((name: "open", value: "true")) }
    let answer = try await control.client().pages(request, of: "connections")
    output.show(answer) { style in
      let connections = answer.member("connections")?.arrayValue ?? []
      guard !connections.isEmpty else { return ["no connections"] }
      return Table.lines(connections.map { ConnectionText.row($0) })
    }
  }
}
