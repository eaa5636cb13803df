import APNSimProvider
import APNSimWire

/// What `send --demo` tells about its exchange.
struct DemoStory {
  let demo: DemoPlan
  let report: SendReport

  /// The bad one was refused for its token's size, and nothing else was.
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
