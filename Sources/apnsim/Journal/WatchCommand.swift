import APNSimWire
import ArgumentParser

/// `apnsim watch`: what happens, as it happens.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show what happens on a running server, as it happens.",
    discussion: """
      Connections, notifications and what becomes of them, error responses, devices and feedback, one line each. \
      With --query, only the notifications that match, and what becomes of them: topic:com.example.* \
      alert~"order" status:8 device:bob

      With --json, the lines are those of the journal. Ctrl-C exits with 0.
      """
  )

  @Option(parsing: .unconditional, help: "Only notifications that match (docs/queries.md).")
  var query: String?
  @Flag(help: "Start with everything in the server's history.") var all = false
  @Option(help: ArgumentHelp("Exit after this many lines.", valueName: "number")) var count: Int?
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Exit after this duration: 10s.", valueName: "duration")
  ) var time: DurationArgument?

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard count ?? 1 >= 1 else { throw ValidationError("--count must be 1 or more") }
  }

  func run() async throws {
    let client = try control.client()
    let (all, count, query, isJSON, style) = (all, count, query, output.isJSON, output.style)
    _ = try await Interruption.race(limit: time?.duration, needsReader: true) {
      var feed = EventFeed(client, after: all ? 0 : nil, query: query)
      var lines = EventLines(style: style)
      var shown = 0
      try await feed.run { event, missing in
        if let missing, missing.count > 0 { Output.note("apnsim: warning: \(Self.words(missing))") }
        let text = isJSON ? String(decoding: event.data, as: UTF8.self) : lines.text(event.data)
        if let text { Output.line(text) }
        shown += text == nil ? 0 : 1
        return shown < count ?? .max && Output.isOpen
      }
    }
  }

  /// The words for a gap.
  private static func words(_ gap: EventFeed.Gap) -> String {
    "not shown: \(Number.counted(Int(clamping: gap.count), "event")); \(gap.reason)"
  }
}
