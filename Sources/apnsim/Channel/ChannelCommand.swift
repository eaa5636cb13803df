import APNSimCore
import APNSimWire
import ArgumentParser

/// `apnsim channel …`: the broadcast channels of a running server.
struct ChannelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "channel",
    abstract: "Show, create and delete the broadcast channels of a running server.",
    subcommands: [ChannelListCommand.self, ChannelCreateCommand.self, ChannelDeleteCommand.self]
  )
}

/// `apnsim channel list`: every channel, or those of one app.
struct ChannelListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List broadcast channels with their subscribers and what is stored on them."
  )

  @Option(
    name: .customLong("app"),
    help: "The app: TOPIC (in every environment), TOPIC:production or TOPIC:sandbox; all apps if omitted."
  )
  var app: AppArgument?

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func validate() throws { try app?.refuseToken("--app") }

  func run() async throws {
    var request = ControlRequest(.get, "channels")
    request.query += app?.query ?? []
    let answer = try await control.client().pages(request, of: "channels")
    output.show(answer) { style in ChannelTable.lines(answer, style) }
  }
}

/// `apnsim channel create --app TOPIC`: a new channel, whose identifier is the answer.
struct ChannelCreateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a broadcast channel and print its identifier.",
    discussion: """
      apnsim channel create --app com.example.app --subscriber alice --subscriber bob
      apnsim channel create --app com.example.app:sandbox --storage-policy 0
      """
  )

  @Option(
    name: .customLong("app"),
    help: "The app: TOPIC (in the server's first environment), or TOPIC:sandbox."
  )
  var app: AppArgument

  @Option(help: "0 stores no message, 1 the most recent one for devices that are offline (default: 1).")
  var storagePolicy: Int?

  @Option(help: "Its identifier in Base64; one is made if omitted.") var id: String?

  @Option(
    name: .customLong("subscriber"),
    help: ArgumentHelp("A device that is subscribed to it; repeatable.", valueName: "device")
  )
  var subscribers: [String] = []

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func validate() throws { try app.refuseToken("--app") }

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.post, "channels").with(body))
    output.show(answer) { _ in [answer.text("id")] }
  }

  private var body: JSONValue {
    .object([
      "topic": .string(app.topic),
      "environment": app.environment.map { .string($0.rawValue) },
      "storagePolicy": storagePolicy.map { .number("\($0)") },
      "id": id.map { .string($0) },
      "subscribers": subscribers.isEmpty ? nil : .array(subscribers.map { .string($0) }),
    ])
  }
}

/// `apnsim channel delete ID`: one channel, or with `--all` every one.
struct ChannelDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a broadcast channel, or all of them.",
    discussion: """
      apnsim channel delete tvI2UK0vEfEAAA6GFnjo2Q==
      apnsim channel delete --all --app com.example.app
      """
  )

  @Argument(help: "The channel's identifier.") var id: String?

  @Flag(help: "Delete every channel, or every channel of --app.") var all = false

  @Option(
    name: .customLong("app"),
    help: "The app: TOPIC (in every environment), TOPIC:production or TOPIC:sandbox."
  )
  var app: AppArgument?

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    try app?.refuseToken("--app")
    guard (id == nil) == all else { throw ValidationError("name a channel, or say --all") }
  }

  func run() async throws {
    var request = ControlRequest(.delete, "channels")
    if let id { request.query.append(("id", id)) }
    request.query += app?.query ?? []
    let answer = try await control.client().json(request)
    let whose = app.map { " of \($0.place)" } ?? ""
    output.confirm(answer, id.map { "deleted channel \($0)\(whose)" } ?? "deleted all channels\(whose)")
  }
}

/// Channels as people read them.
enum ChannelTable {
  /// - Parameter answer: `{"channels":[…]}`
  static func lines(_ answer: JSONValue, _ style: Style) -> [String] {
    let channels = answer.member("channels")?.arrayValue ?? []
    guard !channels.isEmpty else { return ["there are no channels"] }
    return Table.lines(
      channels.map { channel in
        let stored = channel.text("stored")
        return [
          channel.text("id"), channel.text("topic"), channel.text("environment"),
          channel.text("storagePolicy") == "0" ? "stores nothing" : "stores the latest",
          Number.counted(channel.member("subscriberCount")?.intValue ?? 0, "subscriber"),
          Number.counted(channel.member("published")?.intValue ?? 0, "broadcast"),
          stored.isEmpty ? "" : "\(stored) waits until \(channel.text("until"))",
        ]
      }
    )
  }
}
