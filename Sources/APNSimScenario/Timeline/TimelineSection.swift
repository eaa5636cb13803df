import APNSimCore
import APNSimWire

/// `timeline:`, the actions and the checks that come as simulated time passes.
///
/// At one moment the entries follow in the order of the file, and all of them come before the traffic of that moment.
enum TimelineSection: ScenarioSection {
  static let key = "timeline"

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    for item in value.list("a list, such as [{ at: 10m, do: { device.online: bob } }]") ?? [] {
      guard let fields = Fields(item, of: "a timeline entry", keys: ["at", "do", "expect"]) else { continue }
      let at = fields.require("at").flatMap { $0.timeSpan("\"at\"") }
      switch (fields["do"], fields["expect"]) {
      case (let action?, nil):
        let commands = TimelineAction.read(action, &draft)
        guard let at else { continue }
        draft.scenario.timeline += commands.map { TimelineEntry(at: at, action: .perform($0)) }
      case (nil, let expected?):
        for check in ExpectationReader.readAll(expected, &draft) { add(check, at, to: &draft) }
      case (_?, let second?): second.report("a timeline entry has \"do\" or \"expect\", not both")
      case (nil, nil): item.report("a timeline entry needs \"do\" or \"expect\"")
      }
    }
  }

  /// Gives a check that needs no connection of the script to the core, which looks at it with any provider.
  private static func add(_ check: ScriptCheck, _ at: TimeSpan?, to draft: inout ScenarioDraft) {
    guard let at else { return }
    if case .simulator(let expectation) = check.subject, !expectation.namesConnection {
      draft.scenario.timeline.append(TimelineEntry(at: at, action: .expect(expectation)))
    } else {
      var check = check
      check.at = at
      draft.script.checks.append(check)
    }
  }
}

/// Reads `do`: `{ device.online: bob }`. Several in one mapping happen in their order.
enum TimelineAction {
  private typealias Reader = (_ entry: Entry, _ draft: inout ScenarioDraft) -> [Command]

  static let names = CommandName.allCases.filter { reader(of: $0) != nil }.map(\.rawValue)

  static func read(_ value: Value, _ draft: inout ScenarioDraft) -> [Command] {
    value.someEntries("an action, such as { device.online: bob }").flatMap { read($0, &draft) }
  }

  private static func read(_ entry: Entry, _ draft: inout ScenarioDraft) -> [Command] {
    if let read = CommandName(rawValue: entry.name).flatMap(reader(of:)) { return read(entry, &draft) }
    entry.key.report(
      "unknown action \"\(entry.name)\"; known actions: \(Enumeration.and(names))",
      suggestion: NearestName.find(entry.name, among: names)
    )
    return []
  }

  /// - Returns: nil for a command that a timeline does not have.
  private static func reader(of name: CommandName) -> Reader? {
    switch name {
    case .deviceOnline: { one(device($0.value, $1).map { .setOnline(device: $0, true) }) }
    case .deviceOffline: { one(device($0.value, $1).map { .setOnline(device: $0, false) }) }
    case .deviceRemove: { one(device($0.value, $1).map { .removeDevice($0) }) }
    case .deviceInstall: { one(installed($0.value, true, $1)) }
    case .deviceUninstall: { one(installed($0.value, false, $1)) }
    case .deviceAdd: { added($0.value, &$1) }
    case .feedbackAdd: { one(feedback($0.value, $1)) }
    case .feedbackClear: { one(clearing($0.value, $1)) }
    case .clockAdvance: { entry, _ in one(entry.value.timeSpan(entry.name).map { .advanceClock($0) }) }
    case .clockSet: { entry, _ in one(entry.value.timestamp(entry.name).map { .setClock($0) }) }
    case .clockFreeze: { entry, _ in affirmed(entry, .freezeClock) }
    case .clockResume: { entry, _ in affirmed(entry, .resumeClock) }
    case .historyClear: { entry, _ in affirmed(entry, .clearHistory) }
    case .channelCreate: { one(ChannelsSection.channel($0.value, &$1).map { .addChannel($0) }) }
    case .channelDelete: { one(ChannelAction.deletion($0.value, $1)) }
    case .channelSubscribe: { one(ChannelAction.subscription($0.value, true, $1)) }
    case .channelUnsubscribe: { one(ChannelAction.subscription($0.value, false, $1)) }
    case .activityStart: { one(ActivitiesSection.activity($0.value, $1).map { .startActivity($0) }) }
    case .appBroadcast: { one(ChannelAction.capability($0.value, $1)) }
    case .deviceChange, .appRemove, .ruleAdd, .ruleRemove, .ruleClear, .connectionEnd, .reset,
      .scenarioReplace:
      nil
    }
  }

  private static func affirmed(_ entry: Entry, _ command: Command) -> [Command] {
    entry.value.affirmation(entry.name) ? [command] : []
  }

  private static func one(_ command: Command?) -> [Command] { command.map { [$0] } ?? [] }

  private static func device(_ value: Value, _ draft: ScenarioDraft) -> String? {
    guard let name = value.text("the name of a device"), draft.noteDevice(value) else { return nil }
    return name
  }

  /// `bob` for all his apps, or `{ device: bob, app: com.example.app }`.
  private static func installed(_ value: Value, _ isInstalled: Bool, _ draft: ScenarioDraft) -> Command? {
    if value.scalar != nil {
      return device(value, draft).map { .setInstalled(device: $0, app: nil, isInstalled) }
    }
    let subject = isInstalled ? "what to install" : "what to uninstall"
    guard let fields = Fields(value, of: subject, keys: ["device", "app", "environment"]) else { return nil }
    guard let name = fields.require("device").flatMap({ device($0, draft) }) else { return nil }
    guard let app = AppReference.readIfGiven(fields, onDevice: name, draft) else { return nil }
    return .setInstalled(device: name, app: app, isInstalled)
  }

  /// Reads devices as `devices` has them: `{ dave: { apps: [com.example.app] } }`.
  private static func added(_ value: Value, _ draft: inout ScenarioDraft) -> [Command] {
    let entries = value.someEntries("devices as a mapping, such as { dave: { apps: [com.example.app] } }")
    return entries.compactMap { entry in
      guard let device = DevicesSection.device(entry, &draft) else { return nil }
      draft.devices[ExactText(device.name)] = device
      return .putDevice(device)
    }
  }

  /// Reads a tuple as `feedback` has it; without `at` or `after` its time is that of the action.
  private static func feedback(_ value: Value, _ draft: ScenarioDraft) -> Command? {
    guard let fields = Fields(value, of: "a feedback entry", keys: FeedbackSection.keys) else { return nil }
    let subject = FeedbackSection.subject(fields, draft)
    let app = AppReference.read(fields, of: subject, draft)
    var moment: FeedbackSpecification.Moment? = .after(.zero)
    if fields["at"] != nil || fields["after"] != nil { moment = FeedbackSection.moment(fields) }
    guard let subject, let app, let moment else { return nil }
    return .addFeedback(FeedbackSpecification(subject: subject, app: app, moment: moment))
  }

  /// `all`, or `{ app: com.example.app }`.
  private static func clearing(_ value: Value, _ draft: ScenarioDraft) -> Command? {
    if value.scalar == "all" { return .clearFeedback(nil) }
    guard let fields = Fields(value, of: "a list to clear", keys: ["app", "environment"]) else { return nil }
    return AppReference.read(fields, onDevice: nil, draft).map { .clearFeedback($0) }
  }
}
