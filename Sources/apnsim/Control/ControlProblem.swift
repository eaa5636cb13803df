import APNSimProvider
import APNSimWire

/// Turns an error answer into a message for stderr: the problem's words, its place, advice (RFC 9457).
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

  /// The place of a mistake: in `--query`, or a JSON pointer.
  private static func place(_ problem: JSONValue) -> String? {
    guard let pointer = problem.member("pointer")?.stringValue, !pointer.isEmpty else { return nil }
    switch pointer {
    case "query": return "--query" + (problem.member("column")?.intValue.map { ", column \($0)" } ?? "")
    // The column counts in the request's body; the words have the query's own.
    case "/query": return "--query"
    default: return pointer
    }
  }

  /// Advice with commands in place of the server's paths.
  private static func hint(_ problem: JSONValue) -> String? {
    switch problem.member("title")?.stringValue {
    case "No such device": "\"apnsim device list\" shows them, \"apnsim device add\" adds one"
    case "No such fault": "\"apnsim fault list\" shows them"
    case "No such connection": "\"apnsim connections list\" shows them"
    case "No such path": "the server's version differs from this program's, \(ProgramVersion.text)"
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

/// Explains that a control API could not be reached, by which address, and how to start one.
enum ControlFailure {
  static func unreachable(_ error: any Error, _ target: ControlTarget) -> CommandFailure {
    CommandFailure(
      .unreachable,
      "there is no apnsim at \(target.url): \(ProviderFailure.words(error))",
      hints: [hint(target)]
    )
  }

  private static func hint(_ target: ControlTarget) -> String {
    let start = "\"apnsim serve\" starts one; --control URL or APNSIM_CONTROL_URL says where it is"
    return target.source == "the default" ? start : "the address is from \(target.source); \(start)"
  }
}

/// A connection to the control API that ended before its answer did.
enum ControlInterruption: Error, Sendable, CustomStringConvertible {
  case early
  case broken(String)

  var description: String {
    switch self {
    case .early: "the server closed the connection before its answer was complete"
    case .broken(let reason): reason
    }
  }
}
