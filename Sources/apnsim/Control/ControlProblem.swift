import APNSimWire

/// Turns an answer that says no into what stands on stderr: the problem's words, where it is, what to do (RFC 9457).
enum ControlProblem {
  static func failure(_ answer: ControlAnswer, _ target: ControlTarget) -> CommandFailure {
    guard let problem = try? JSONValue.parse(answer.bytes), problem.objectValue != nil,
      let words = problem.member("detail")?.stringValue ?? problem.member("title")?.stringValue
    else {
      return CommandFailure(
        .runtimeError,
        "\(target.url) answered \(answer.status): \"\(answer.excerpt)\"",
        hints: ["is it an apnsim control API?"]
      )
    }
    let place = place(problem).map { TerminalText.visible($0) + ": " } ?? ""
    let hint = hint(problem).map { TerminalText.visible($0) }
    return CommandFailure(
      status(answer.status),
      place + TerminalText.visible(words),
      hints: hint.map { [$0] } ?? []
    )
  }

  /// Where something is wrong: in `--query`, or what a JSON pointer says.
  private static func place(_ problem: JSONValue) -> String? {
    guard let pointer = problem.member("pointer")?.stringValue, !pointer.isEmpty else { return nil }
    switch pointer {
    case "query": return "--query" + (problem.member("column")?.intValue.map { ", column \($0)" } ?? "")
    // The column is one of the request's body, the query's is in the words.
    case "/query": return "--query"
    default: return pointer
    }
  }

  /// What to do, said with commands where the server says it with paths.
  private static func hint(_ problem: JSONValue) -> String? {
    switch problem.member("title")?.stringValue {
    case "No such device": "\"apnsim device list\" shows them, \"apnsim device add\" adds one"
    case "No such fault": "\"apnsim fault list\" shows them"
    case "No such connection": "\"apnsim connections list\" shows them"
    case "No such path": "the server's version differs from this program's, \(Apnsim.version)"
    case "No access":
      "give the token that the server was started with: --control-token or APNSIM_CONTROL_TOKEN"
    default: problem.member("hint")?.stringValue
    }
  }

  private static func status(_ code: Int) -> ExitStatus {
    switch code {
    case 503: .unreachable
    case 400, 413, 415: .usage
    case 422: .badConfiguration
    default: .runtimeError
    }
  }
}
