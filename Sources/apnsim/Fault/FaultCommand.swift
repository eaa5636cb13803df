import APNSimWire
import ArgumentParser

/// `apnsim fault …`: what goes wrong on a running server, and when.
struct FaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fault",
    abstract: "Make things go wrong on a running server.",
    subcommands: [
      FaultAddCommand.self, FaultListCommand.self, FaultRemoveCommand.self, FaultClearCommand.self,
    ]
  )
}

/// `apnsim fault list`: the rules in the order they are tried, and how often each fired.
struct FaultListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the rules of a running server in the order they are tried, and how often each fired."
  )

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.get, "faults"))
    output.show(answer) { FaultTable.lines(answer, $0) }
  }
}

/// `apnsim fault remove r1`
struct FaultRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a rule by its id or name."
  )

  @Argument(help: "The rule's id, such as r1, or its name.") var fault: String

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.delete, "faults", fault))
    output.confirm(answer, "removed \(fault)")
  }
}

/// `apnsim fault clear`
struct FaultClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Remove every rule, including those of the scenario."
  )

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.delete, "faults"))
    output.confirm(answer, "removed every fault")
  }
}

/// Rules as people read them: id, name, how often, and what they say in the scenario file's syntax.
enum FaultTable {
  /// - Parameter answer: `{"faults":[…]}`
  static func lines(_ answer: JSONValue, _ style: Style) -> [String] {
    let rules = answer.member("faults")?.arrayValue ?? []
    guard !rules.isEmpty else { return ["no faults"] }
    return Table.lines(rules.map { row($0) })
  }

  private static func row(_ rule: JSONValue) -> [String] {
    let fired = rule.member("fired")?.intValue ?? 0
    let isSpent = rule.member("spent")?.boolValue == true
    return [
      rule.text("id"), rule.text("name"), "fired \(Number.grouped(fired))\(isSpent ? ", done" : "")",
      what(rule),
    ]
  }

  /// The members that the scenario file has, as it writes them: `when: {nth: 3}, reply: {status: 8}`.
  private static func what(_ rule: JSONValue) -> String {
    let body = rule.member("rule") ?? rule
    let members = (body.objectValue ?? []).filter { shown.contains($0.key) && $0.value != .null }
    return members.map { "\($0.key): \(flow($0.value))" }.joined(separator: ", ")
  }

  private static let shown: Set<String> = [
    "when", "where", "reply", "fault", "proceed", "times", "after", "every", "probability", "state",
  ]

  /// A value in YAML's flow style, without quotes where none are needed.
  private static func flow(_ value: JSONValue, depth: Int = 0) -> String {
    switch value {
    case .object(let members) where depth < 16:
      "{" + members.map { "\($0.key): \(flow($0.value, depth: depth + 1))" }.joined(separator: ", ") + "}"
    case .array(let elements) where depth < 16:
      "[" + elements.map { flow($0, depth: depth + 1) }.joined(separator: ", ") + "]"
    default: value.plain
    }
  }
}
