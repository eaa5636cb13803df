import APNSimWire
import ArgumentParser

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
