import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimWire
import NIOHTTP1

/// `/faults`: the rules that decide, those added last first.
enum FaultsResource {
  static let routes: [Route] = [
    Route(.GET, "/faults", answer: list),
    Route(.POST, "/faults", query: ["preview"], body: .json, answer: add),
    Route(.DELETE, "/faults", answer: clear),
    Route(.GET, "/faults/catalogue", answer: catalogue),
    Route(.GET, "/faults/{fault}", answer: get),
    Route(.DELETE, "/faults/{fault}", answer: remove),
  ]

  private static func list(_ call: Call) async throws -> Response {
    let state = call.simulator.scriptState
    return .json { writer in
      writer.list("faults", call.simulator.rules()) { $0.writeMembers(to: &$1) }
      writer.member("state", state.isEmpty ? nil : state)
    }
  }

  /// The kinds of faults that there are, family by family.
  private static func catalogue(_ call: Call) async throws -> Response {
    let rows = FaultFamily.allCases.flatMap { family in
      family.kinds.compactMap { kind in kind.exampleRule.map { (family, kind, call.simulator.foresee($0)) } }
    }
    return .json { writer in
      writer.list("faults", rows) { row, writer in row.1.writeMembers(of: row.0, row.2, to: &writer) }
    }
  }

  private static func add(_ call: Call) async throws -> Response {
    let previews = try call.query.flag("preview")
    let rule = try await call.read(FaultBody.read)
    guard !previews else { return await preview(call, rule) }
    let added = try call.perform(.addRule(rule))
    return .json(.created) { writer in added?.writeMembers(to: &writer) }
  }

  /// Says what the rule would do, and adds nothing.
  private static func preview(_ call: Call, _ rule: Rule) async -> Response {
    let preview = await call.simulator.preview(rule, while: call.isWanted)
    let text = RuleText.text(rule)
    return .json { writer in
      writer.member("rule", text)
      preview.writeMembers(to: &writer)
      writer.key("same")
      writer.beginObject()
      writer.member("apnsim", ShellText.apnsim(["fault", "add", text], call))
      writer.member("curl", ShellText.curl("POST", "/faults", json: RuleText.json(rule), call))
      writer.member("magicToken", preview.magicToken)
      writer.endObject()
    }
  }

  private static func clear(_ call: Call) async throws -> Response {
    try call.perform(.clearRules)
    return .noContent
  }

  private static func get(_ call: Call) async throws -> Response {
    let rules = call.simulator.rules()
    guard
      let rule = rules.first(where: { $0.id == call["fault"] })
        ?? rules.first(where: { $0.rule.name == call["fault"] })
    else { throw ProblemDetails(.unknownRule(call["fault"])) }
    return .json { rule.writeMembers(to: &$0) }
  }

  private static func remove(_ call: Call) async throws -> Response {
    try call.perform(.removeRule(call["fault"]))
    return .noContent
  }
}

extension RuleView {
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("name", rule.name.isEmpty ? nil : rule.name)
    writer.member("kind", rule.action.kind)
    writer.member("matched", matches)
    writer.member("fired", fired)
    writer.key("times")
    if let times = rule.times { writer.int(times) } else { writer.null() }
    writer.member("spent", isSpent)
    writer.key("rule")
    rule.write(to: &writer)
  }
}

extension Rule.Action {
  /// The name of the action.
  fileprivate var kind: String {
    switch self {
    case .reply(let reply): reply.status == .shutdown ? "shutdown" : "reply"
    case .answer: "reply"
    case .fault(let fault): fault.name
    case .proceed: "proceed"
    }
  }
}
