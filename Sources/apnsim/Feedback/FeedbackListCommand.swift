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
      ? try await client.pages(ControlRequest(.get, "feedback", "reads"), of: "reads")
      : try await client.pages(ControlRequest(.get, "feedback"), of: "tuples")
    output.show(answer) { style in
      reads ? FeedbackTable.reads(answer, style) : FeedbackTable.tuples(answer, style)
    }
  }
}
