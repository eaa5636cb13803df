import APNSimWire
import ArgumentParser

/// `apnsim feedback list`: what a provider that reads now would get, without reading it.
struct FeedbackListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the feedback lists of a running server; they stay as they are.",
    discussion: "With --reads: who read which list and when, and how many tuples it got."
  )

  @Flag(help: "Who has read what, instead.") var reads = false

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let client = try control.client()
    let answer =
      reads
      ? try await pages(of: ControlRequest(.get, "feedback", "reads"), "reads", client)
      : try await pages(of: ControlRequest(.get, "feedback"), "tuples", client)
    output.show(answer) { style in
      reads ? FeedbackTable.reads(answer, style) : FeedbackTable.tuples(answer, style)
    }
  }

  /// All pages as one.
  private func pages(
    of first: ControlRequest,
    _ name: String,
    _ client: ControlClient
  ) async throws -> JSONValue {
    var entries: [JSONValue] = []
    var request = first
    while true {
      let page = try await client.json(request)
      entries += page.member(name)?.arrayValue ?? []
      guard let next = page.member("next")?.stringValue else {
        return .object([JSONValue.Member(key: name, value: .array(entries))])
      }
      request.query = [("after", next)]
    }
  }
}
