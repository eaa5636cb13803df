import APNSimCore

extension CommandReader {
  /// - Returns: nil for a command that a timeline has as well.
  static func ofClients(_ name: CommandName) -> CommandGrammar? {
    switch name {
    case .deviceChange:
      CommandGrammar(one: .mapping(changeNoun), "Something of a device changes.") { change($0, &$1) }
    case .appRemove:
      CommandGrammar(one: .mapping(removalNoun), "An app is taken off a device.") { removal($0, $1) }
    case .ruleAdd:
      CommandGrammar(one: .mapping(RuleReader.ofCommands.noun), "A rule comes before all others.") {
        RuleReader.ofCommands.read($0, nil).map { .addRule($0) }
      }
    case .ruleRemove:
      CommandGrammar(one: .text, "A rule ends.") {
        $0.text("the id or the name of a rule").map { .removeRule($0) }
      }
    case .ruleClear: CommandGrammar(.clearRules, "All rules end.")
    case .connectionEnd:
      CommandGrammar(one: .mapping(endingNoun), "An open connection ends.") { ending($0) }
    case .reset: CommandGrammar(.reset, "Everything begins anew.")
    case .scenarioReplace:
      CommandGrammar(one: .mapping(ScenarioFile.noun), "Another scenario begins.") {
        .replaceScenario(scenario($0))
      }
    case .deviceOnline, .deviceOffline, .deviceInstall, .deviceUninstall, .deviceRotate, .deviceAdd,
      .deviceRemove,
      .feedbackAdd, .feedbackClear, .clockAdvance, .clockSet, .clockFreeze, .clockResume, .historyClear,
      .channelCreate, .channelDelete, .channelSubscribe, .channelUnsubscribe, .appBroadcast, .activityStart:
      nil
    }
  }

  private static let deviceRow = Noun.Row("device", .device, "The device.", .required)

  private static let changeNoun = Noun(
    "deviceChange",
    "a change of a device",
    "What changes of a device; the rest stays as it is.",
    rows: [deviceRow] + DevicesSection.noun.rows
      + AppReference.rows(
        "The app that token and installed are for; all that the device has where none is named."
      ),
    terms: [.atMostOne(["apps", "app"]), .with("environment", "app")]
  )

  /// Reads a change as `PATCH` has it, with the device, and maybe an app that it is for.
  private static func change(_ value: Value, _ draft: inout ScenarioDraft) -> Command? {
    guard let fields = Fields(value, of: changeNoun),
      let device = fields.require("device")?.text("the name of a device")
    else { return nil }
    var change = DevicesSection.change(fields, of: device, &draft)
    guard let app = fields["app"] else {
      fields["environment"]?.report("\"environment\" requires \"app\"")
      return .changeDevice(change)
    }
    fields["apps"]?.report("a change of a device has \"apps\" or \"app\", not both")
    guard let topic = app.topic() else { return nil }
    let environment = fields["environment"].flatMap { $0.choice("the environment", of: PushEnvironment.self) }
    var state = DeviceChange.AppState()
    if case .every(let ofAll)? = change.apps { state = ofAll }
    change.apps = .one(topic: topic, environment: environment, state)
    return .changeDevice(change)
  }

  private static let removalNoun = Noun(
    "appRemoval",
    "an app to take off a device",
    "An app that a device loses, with its token and what is stored.",
    rows: [deviceRow] + AppReference.rows
  )

  private static func removal(_ value: Value, _ draft: ScenarioDraft) -> Command? {
    guard let fields = Fields(value, of: removalNoun),
      let device = fields.require("device")?.text("the name of a device"),
      let app = AppReference.read(fields, onDevice: device, draft)
    else { return nil }
    return .removeApp(device: device, app)
  }

  private static let endingNoun = Noun(
    "connectionEnding",
    "the end of a connection",
    "An open connection, and how it ends.",
    rows: [
      Noun.Row("connection", .form(.connection), "The connection.", .required),
      Noun.Row("mode", .choice(of: KillMode.self), "How it ends.", .required),
    ]
  )

  private static func ending(_ value: Value) -> Command? {
    guard let fields = Fields(value, of: endingNoun), let connection = fields.require("connection"),
      let how = fields.require("mode")?.choice("how the connection ends", of: KillMode.self)
    else { return nil }
    guard let id = connection.scalar.flatMap({ ConnectionID($0) }) else {
      connection.mismatch(TextForm.connection.meaning)
      return nil
    }
    return .endConnection(id, how)
  }

  /// Reads a scenario as a file has it, which says all that it refers to.
  private static func scenario(_ value: Value) -> Scenario {
    let problems = ProblemList(source: value.problems.source)
    var draft = ScenarioDraft(serverSettings: [])
    ScenarioFile.read(Value(node: value.node, problems: problems), into: &draft)
    value.problems.add(problems)
    return draft.scenario
  }
}
