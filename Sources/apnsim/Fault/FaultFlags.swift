import APNSimCore
import APNSimScenario
import APNSimWire
import ArgumentParser

/// A rule given as flags.
struct FaultFlags: ParsableArguments {
  @Option(help: "A name for the rule, which \"fault remove\" accepts.") var name: String?

  @Option(help: ArgumentHelp("Only the Nth notification of a connection, from 1.", valueName: "number"))
  var nth: String?
  @Option(help: "Only the Nth connection, from 1.") var connection: String?
  @Option(help: "Only notifications with this identifier, 8 hex digits.") var identifier: String?
  @Option(help: "Only notifications to this token.") var token: String?
  @Option(help: ArgumentHelp("Only notifications to this device.", valueName: "name")) var device: String?
  @Option(help: "Only notifications for this topic.") var topic: String?
  @Option(help: ArgumentHelp("Only notifications of this command: 0, 1 or 2.", valueName: "number"))
  var command: String?

  @Option(
    help: ArgumentHelp("Answer with this status: 8 is an invalid token, 10 a shutdown.", valueName: "code")
  ) var status: String?
  @Option(
    help: ArgumentHelp(
      "Answer with this reason of HTTP/2: Unregistered, TooManyRequests.",
      valueName: "name"
    ),
    completion: .list(ReasonRow.all.map(\.name))
  ) var reason: String?
  @Option(
    name: .customLong("after-frames"),
    help: ArgumentHelp("Send the answer after this many more frames.", valueName: "number")
  )
  var afterFrames: String?
  @Option(help: ArgumentHelp("Send the answer after this duration: 300ms.", valueName: "duration")) var delay:
    String?
  @Option(
    name: .customLong("fault"),
    help: ArgumentHelp(
      """
      A fault instead, such as latency=200ms, jitter={from: 10ms, to: 80ms} or reset={afterBytes: 40}: \
      \(FaultKind.names.joined(separator: ", ")).
      """
    ),
    completion: .list(FaultKind.names)
  )
  var fault: String?

  @Option(help: ArgumentHelp("Fire at most this many times.", valueName: "number")) var times: Int?
  @Option(help: ArgumentHelp("Let this many matches pass first.", valueName: "number")) var after: Int?
  @Option(help: ArgumentHelp("Of the matches, fire on the first of every N.", valueName: "number")) var every:
    Int?
  @Option(help: "The probability of firing, 0 to 1.") var probability: String?

  func validate() throws {
    guard let text else { return }
    switch (status ?? reason, fault) {
    case (nil, nil):
      if let extra = afterFrames.map({ _ in "--after-frames" }) ?? delay.map({ _ in "--delay" }) {
        throw ValidationError("\(extra) requires --status or --reason")
      }
      throw ValidationError(
        "expected --status, --reason or --fault; a rule that is given as text takes no flags"
      )
    case (.some, .some):
      throw ValidationError("expected --status or --reason, or --fault; found both")
    case (nil, .some) where afterFrames != nil || delay != nil:
      throw ValidationError("--after-frames and --delay require --status or --reason, not --fault")
    default: break
    }
    do throws(DocumentError) {
      _ = try RuleText.json(text)
    } catch {
      throw ValidationError(error.problems.map { words($0) }.joined(separator: "\n"))
    }
  }

  /// A problem of the rule in words, with the flag that caused it.
  private func words(_ problem: DocumentProblem) -> String {
    let line = problem.location.line - 1
    let key = lines.indices.contains(line) ? lines[line].key : nil
    let meant = problem.suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
    return (key.map { "\(SettingName($0).flag): " } ?? "") + problem.message + meant
  }

  /// The rule in the scenario file's syntax; nil when no flag was given.
  var text: String? {
    let lines = lines
    return lines.isEmpty ? nil : lines.map { $0.text + "\n" }.joined()
  }

  /// The rule's lines, each with the key of its flag; the lines `when:` and `reply:` have none.
  private var lines: [(text: String, key: String?)] {
    let match = [
      ("nth", nth), ("connection", connection), ("identifier", identifier.map(Self.quoted)),
      ("token", token.map(Self.quoted)), ("device", device.map(Self.quoted)),
      ("topic", topic.map(Self.quoted)), ("command", command),
    ]
    let reply = [("status", status), ("reason", reason), ("afterFrames", afterFrames), ("delay", delay)]
    let rest = [
      ("fault", fault.map(Self.fault)), ("times", times.map { "\($0)" }), ("after", after.map { "\($0)" }),
      ("every", every.map { "\($0)" }), ("probability", probability),
    ]
    return Self.lines([("name", name.map(Self.quoted))]) + Self.lines(match, of: "when")
      + Self.lines(reply, of: "reply") + Self.lines(rest)
  }

  /// A line `a: 1` for each member with a value, indented below its parent.
  private static func lines(
    _ members: [(key: String, value: String?)],
    of parent: String? = nil
  ) -> [(text: String, key: String?)] {
    let indent = parent == nil ? "" : "  "
    let given = members.compactMap { key, value in
      value.map { (text: "\(indent)\(key): \($0.withoutLineEnds)", key: Optional(key)) }
    }
    guard let parent, !given.isEmpty else { return given }
    return [(text: "\(parent):", key: nil)] + given
  }

  private static func quoted(_ text: String) -> String { JSONValue.string(text).description }

  /// `latency=200ms` as `{ latency: 200ms }`.
  private static func fault(_ text: String) -> String {
    guard let mark = text.firstIndex(of: "=") else { return text }
    return "{ \(text[..<mark]): \(text[text.index(after: mark)...]) }"
  }
}
