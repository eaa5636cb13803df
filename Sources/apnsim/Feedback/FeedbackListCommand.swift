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
      ? try await client.json(ControlRequest(.get, "feedback", "reads")) : try await tuples(client)
    output.show(answer) { style in
      reads ? FeedbackTable.reads(answer, style) : FeedbackTable.tuples(answer, style)
    }
  }

  /// All pages as one.
  private func tuples(_ client: ControlClient) async throws -> JSONValue {
    var tuples: [JSONValue] = []
    var request = ControlRequest(.get, "feedback")
    while true {
      let page = try await client.json(request)
      tuples += page.member("tuples")?.arrayValue ?? []
      guard let next = page.member("next")?.stringValue else { return .object(["tuples": .array(tuples)]) }
      request.query = [("after", next)]
    }
  }
}
