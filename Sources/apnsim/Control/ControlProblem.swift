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
    var message = TerminalText.visible(words)
    if let pointer = problem.member("pointer")?.stringValue, !pointer.isEmpty {
      message = "\(TerminalText.visible(pointer)): \(message)"
    }
    let hint = problem.member("hint")?.stringValue.map { TerminalText.visible($0) }
    return CommandFailure(status(answer.status), message, hints: hint.map { [$0] } ?? [])
  }

  private static func status(_ code: Int) -> ExitStatus {
    switch code {
    case 401, 403, 503: .unreachable
    case 400, 413, 415: .usage
    case 422: .badConfiguration
    default: .runtimeError
    }
  }
}
