import APNSimWire
import ArgumentParser

/// `apnsim connections …`: who is and was connected, and what an error cost them.
struct ConnectionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "connections",
    abstract: "Show the connections of a running server and what errors cost them; end one.",
    subcommands: [ConnectionsListCommand.self, ConnectionsShowCommand.self, ConnectionsKillCommand.self],
    defaultSubcommand: ConnectionsListCommand.self
  )
}

/// `apnsim connections list`
struct ConnectionsListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List connections, open, closed and refused (the default)."
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
      let refused = answer.member("refused")?.arrayValue ?? []
      let list =
        connections.isEmpty ? ["no connections"] : Table.lines(connections.map { ConnectionText.row($0) })
      guard !refused.isEmpty else { return list }
      return list + ["", style.paint("refused:", .red)]
        + Table.lines(refused.map { ConnectionText.refusal($0) }, indent: "  ")
    }
  }
}

/// `apnsim connections show c3`
struct ConnectionsShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract:
      "Show one connection with its resend report: what failed, was discarded, sent again, or lost, and what rules and magic tokens did."
  )

  @Argument(help: "The connection's id, such as c3.") var connection: String

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let client = try control.client()
    let answer = try await client.json(ControlRequest(.get, "connections", connection))
    let path = ControlRequest(.get, "connections", connection, "story")
    let story = output.isJSON ? JSONValue.null : try await client.json(path)
    output.show(answer) { ConnectionText.lines(answer, story, $0) }
  }
}

/// `apnsim connections kill c3 --mode rst`
struct ConnectionsKillCommand: AsyncParsableCommand {
  /// The way a connection is ended.
  enum Mode: String, ExpressibleByArgument, CaseIterable {
    case fin
    case rst
    case shutdown
  }

  static let configuration = CommandConfiguration(
    commandName: "kill",
    abstract:
      "End an open connection: fin closes it, rst resets it, shutdown sends status 10 first, or GOAWAY over HTTP/2."
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
