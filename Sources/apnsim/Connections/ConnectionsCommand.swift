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
