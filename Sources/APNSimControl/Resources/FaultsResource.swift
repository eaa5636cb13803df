package import APNSimCore
import APNSimScenario
import APNSimServer
package import APNSimWire
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
    return .json(FaultsAnswer(faults: call.simulator.rules(), state: state.isEmpty ? nil : state))
  }

  /// The kinds of faults that there are, family by family.
  private static func catalogue(_ call: Call) async throws -> Response {
    let rows = FaultFamily.allCases.flatMap { family in
      family.kinds.compactMap { kind in
        kind.exampleRule.map { FaultEntry(family: family, kind: kind, preview: call.simulator.foresee($0)) }
      }
    }
    return .json(CatalogueAnswer(faults: rows))
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
    let same = FaultPreviewAnswer.Same(
      apnsim: ShellText.apnsim(["fault", "add", text], call),
      curl: ShellText.curl("POST", "/faults", json: RuleText.json(rule), call),
      magicToken: preview.magicToken
    )
    return .json(FaultPreviewAnswer(rule: text, preview: preview, same: same))
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
    return .json(rule)
  }

  private static func remove(_ call: Call) async throws -> Response {
    try call.perform(.removeRule(call["fault"]))
    return .noContent
  }
}

/// The rules, last added first.
struct FaultsAnswer: JSONObject {
  let faults: [RuleView]
  let state: String?

  static let shape = JSONShape<Self>("FaultList") {
    $0.list("faults") { $0.faults }
    $0.member("state", "The current state of the rules.") { $0.state }
  }
}

/// The faults, in the order in which errors list them.
struct CatalogueAnswer: JSONObject {
  let faults: [FaultEntry]

  static let shape = JSONShape<Self>("FaultCatalogue") {
    $0.list("faults") { $0.faults }
  }
}

extension RuleView: JSONObject {
  package static let shape = JSONShape<Self>("Fault") {
    $0.member("id", "By which it can be removed.", .pattern("^r[0-9]+$")) { $0.id }
    $0.member("name") { $0.rule.name.isEmpty ? nil : $0.rule.name }
    $0.member("kind", "The fault's name, or reply, shutdown, proceed.") { $0.rule.action.kind }
    $0.member("matched", "How often its `when` matched.", .least(0)) { $0.matches }
    $0.member("fired", "How often it fired.", .least(0)) { $0.fired }
    $0.member("times", "How often it may fire; null without an end.", .least(0)) { $0.rule.times }
    $0.member("spent", "Whether its `times` are used up.") { $0.isSpent }
    $0.member("rule") { $0.rule }
  }
}

/// The preview of a rule, and other ways to the same.
struct FaultPreviewAnswer: JSONObject {
  let rule: String
  let preview: FaultPreview
  let same: Same

  struct Same: JSONObject {
    let apnsim: String
    let curl: String
    let magicToken: String?

    static let shape = JSONShape<Self> {
      $0.member("apnsim") { $0.apnsim }
      $0.member("curl") { $0.curl }
      $0.member(
        "magicToken",
        "A device token that does the same whenever it is sent to; null where none does."
      ) { $0.magicToken }
    }
  }

  static let shape = JSONShape<Self>("FaultPreview") {
    $0.member("rule", "The rule in one line, as `apnsim fault add` and scenarios take it.") { $0.rule }
    $0.members { $0.preview }
    $0.member("same", "The same by other ways.") { $0.same }
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
