import APNSimCore
import APNSimWire
import ArgumentParser

/// `apnsim feedback …`: the feedback service, as a provider meets it and as a test scripts it.
struct FeedbackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedback",
    abstract: "Read the feedback service, or show and change its lists.",
    subcommands: [
      FeedbackReadCommand.self, FeedbackListCommand.self, FeedbackAddCommand.self, FeedbackClearCommand.self,
    ]
  )
}

/// `apnsim feedback list`: what a provider that reads now would get, without reading it.
struct FeedbackListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the feedback lists of a running server without clearing them.",
    discussion: "With --reads, shows who read which list and when, and how many tuples they got."
  )

  @Flag(help: "Show who has read which list instead.") var reads = false

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let client = try control.client()
    let answer =
      reads
      ? try await client.pages(ControlRequest(.get, "feedback", "reads"), of: "reads")
      : try await client.pages(ControlRequest(.get, "feedback"), of: "tuples")
    output.show(answer) { style in
      reads ? FeedbackTable.reads(answer, style) : FeedbackTable.tuples(answer, style)
    }
  }
}

/// `apnsim feedback clear`: empties the lists, as if they had been read.
struct FeedbackClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Clear the feedback list of one app, or all lists."
  )

  @Option(
    name: .customLong("app"),
    help: "The app: TOPIC (in every environment), TOPIC:production or TOPIC:sandbox; all lists if omitted."
  )
  var app: AppArgument?

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func validate() throws { try app?.refuseToken("--app") }

  func run() async throws {
    var request = ControlRequest(.delete, "feedback")
    request.query += app?.query ?? []
    let answer = try await control.client().json(request)
    output.confirm(
      answer,
      app.map { "the feedback list of \($0.place) is empty" } ?? "the feedback lists are empty"
    )
  }
}

/// Feedback lists as people read them.
enum FeedbackTable {
  /// - Parameter answer: `{"tuples":[…]}`
  static func tuples(_ answer: JSONValue, _ style: Style) -> [String] {
    let tuples = answer.member("tuples")?.arrayValue ?? []
    guard !tuples.isEmpty else { return ["the feedback lists are empty"] }
    return Table.lines(
      tuples.map { tuple in
        [
          time(tuple.member("timestamp")), tuple.text("topic"), tuple.text("environment"),
          tuple.text("token"),
        ]
      }
    )
  }

  /// - Parameter answer: `{"reads":[…]}`
  static func reads(_ answer: JSONValue, _ style: Style) -> [String] {
    let reads = answer.member("reads")?.arrayValue ?? []
    guard !reads.isEmpty else { return ["nobody has read a feedback list"] }
    return Table.lines(
      reads.map { read in
        [
          read.text("time"), read.text("connection"), read.text("topic"), read.text("environment"),
          Number.counted(read.member("tuples")?.arrayValue?.count ?? 0, "tuple"),
        ]
      }
    )
  }

  /// Seconds since 1970 as a time.
  private static func time(_ value: JSONValue?) -> String {
    guard let seconds = value?.intValue.flatMap({ Int64(exactly: $0) }), abs(seconds) < 1 << 40 else {
      return value?.plain ?? ""
    }
    return Timestamp(seconds: seconds).description
  }
}
