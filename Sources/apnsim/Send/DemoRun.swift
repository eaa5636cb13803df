import APNSimProvider
import APNSimWire
import NIOCore

/// Runs `send --demo`: sends, and explains the answers.
struct DemoRun {
  let tokens: [[UInt8]]
  let patience: Duration
  let output: OutputOptions

  func run(on target: ProviderTarget) async throws {
    let demo = DemoPlan(tokens: tokens)
    let connection = try await ProviderConnection.open(target, timeout: .opening(patience))
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

/// The account of an exchange that `send --demo` prints.
struct DemoStory {
  let demo: DemoPlan
  let report: SendReport

  /// True if the bad notification was refused for its token's size, and no other.
  var isAsExpected: Bool {
    guard case .answered(let response) = report.ending else { return false }
    return response.status == .invalidTokenSize && report.namedIndex == demo.badIndex
  }

  func lines(_ style: Style) -> [String] {
    let rows = demo.steps.enumerated().map { index, step in
      let identifier = step.frame.command == 0 ? "" : "identifier \(demo.plan.identifier(at: index).hex)"
      return ["\(index + 1)", "command \(step.frame.command)", identifier, step.meaning]
    }
    return ["sent"] + Table.lines(rows, indent: "  ") + ["came back"] + answer(style).map { "  " + $0 }
  }

  private func answer(_ style: Style) -> [String] {
    guard case .answered(let response) = report.ending else {
      switch report.ending {
      case .closed: return ["nothing: the gateway closed the connection without an error response"]
      case .silence: return ["nothing, although one of them was bad"]
      default: return ["no error response, but other bytes"]
      }
    }
    let milliseconds = Int((report.answering ?? .zero) / .milliseconds(1))
    let status = style.paint("status \(response.status.rawValue)", .yellow) + " (\(response.status.name))"
    let bytes = response.bytes.map { Hex.encode([$0]) }
    let hex = "\(bytes[0]) \(bytes[1]) " + bytes[2...].joined()
    guard let named = report.namedIndex, let discarded = report.discarded else {
      return ["\(hex)  \(status) for none of the notifications above, after \(milliseconds) ms"]
    }
    var lines = ["\(hex)  \(status) for notification \(named + 1), after \(milliseconds) ms"]
    lines += (0..<named).map { "\($0 + 1) \(style.paint("accepted", .green)): success is silence" }
    lines.append("\(named + 1) \(style.paint("refused", .red)): \(demo.steps[named].meaning)")
    lines += discarded.map {
      "\($0 + 1) \(style.paint("discarded", .yellow)) unread: to be sent again over a new connection"
    }
    return lines
  }

  var hints: [String] {
    switch report.ending {
    case .closed:
      ["a gateway that knows only some tokens closes at command 0: give it known ones with --to TOKEN…"]
    case .answered(let response) where response.status == .invalidToken:
      ["the gateway knows only some tokens: give it known ones with --to TOKEN…"]
    default: []
    }
  }
}
