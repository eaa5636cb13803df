import APNSimProvider
import APNSimWire
import NIOCore

/// Runs `send --demo`: sends, and tells what happened as one would explain it to a colleague.
struct DemoRun {
  let tokens: [[UInt8]]
  let patience: Duration
  let output: OutputOptions

  func run(on target: ProviderTarget) async throws {
    let demo = DemoPlan(tokens: tokens)
    let connection = try await ProviderConnection.open(target, timeout: .seconds(10))
    let report = try await SendExchange(plan: demo.plan, patience: patience).run(over: connection)
    let story = DemoStory(demo: demo, report: report)
    if output.isJSON {
      try JSONLine.print(SendResult(report))
    } else {
      Output.line("connected to \(target.address), TLS \(connection.version)")
      Output.lines(story.lines(output.style))
    }
    guard story.isAsExpected else {
      throw CommandFailure(.failed, "the demo did not go as with the default settings", hints: story.hints)
    }
  }
}
