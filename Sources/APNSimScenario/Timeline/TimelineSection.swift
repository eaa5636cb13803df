import APNSimCore
import APNSimWire

/// `timeline:`, the actions and the checks that come as simulated time passes.
///
/// At one moment the entries follow in the order of the file, and all of them come before the traffic of that moment.
enum TimelineSection: ScenarioSection {
  static let row = Noun.Row(
    "timeline",
    .list(.mapping(noun)),
    "What happens, and what is expected, as simulated time passes."
  )
  private static let noun = Noun(
    "timelineEntry",
    "a timeline entry",
    "Something that happens or is expected at a moment.",
    rows: [
      Noun.Row("at", .duration, "The moment, in simulated time from the start.", .required),
      Noun.Row("do", .mapping(TimelineAction.noun), "What happens: several actions in their order."),
      Noun.Row("expect", ExpectationReader.list, "What is expected."),
    ],
    terms: [.one(["do", "expect"])]
  )

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    for item in value.list("a list, such as [{ at: 10m, do: { device.online: bob } }]") ?? [] {
      guard let fields = Fields(item, of: noun) else { continue }
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
  static let noun = Noun(
    "actions",
    "an action",
    "Actions that happen in their order.",
    rows: CommandName.allCases.compactMap { name in
      action(name).map { Noun.Row(name.rawValue, $0.kind, $0.meaning) }
    },
    terms: [.entries(1...Int.max)],
    takesEmpty: false
  )
  private static let names = noun.keys

  static func read(_ value: Value, _ draft: inout ScenarioDraft) -> [Command] {
    value.someEntries("an action, such as { device.online: bob }").flatMap { read($0, &draft) }
  }

  private static func read(_ entry: Entry, _ draft: inout ScenarioDraft) -> [Command] {
    if let action = CommandName(rawValue: entry.name).flatMap(action) {
      return action.read(entry.value, &draft)
    }
    entry.key.report(
      "unknown action \"\(entry.name)\"; known actions: \(Enumeration.and(names))",
      suggestion: NearestName.find(entry.name, among: names)
    )
    return []
  }

  /// - Returns: nil for a command that a timeline does not have.
  static func action(_ name: CommandName) -> CommandGrammar? {
    switch name {
    case .deviceOnline, .deviceOffline, .deviceRemove, .deviceInstall, .deviceUninstall, .deviceRotate,
      .deviceAdd:
      ofDevices(name)
    case .feedbackAdd:
      CommandGrammar(one: .mapping(FeedbackSection.addition), "The feedback service lists a tuple.") {
        feedback($0, $1)
      }
    case .feedbackClear:
      CommandGrammar(one: clearingKind, "The feedback service forgets its lists, or that of one app.") {
        clearing($0, $1)
      }
    case .clockAdvance:
      CommandGrammar(one: .duration, "The clock jumps ahead by a time.") {
        $0.timeSpan(name.rawValue).map { .advanceClock($0) }
      }
    case .clockSet:
      CommandGrammar(one: .form(.time), "The clock jumps ahead to a moment.") {
        $0.timestamp(name.rawValue).map { .setClock($0) }
      }
    case .clockFreeze: CommandGrammar(.freezeClock, "The clock stands still.")
    case .clockResume: CommandGrammar(.resumeClock, "The clock goes on.")
    case .historyClear: CommandGrammar(.clearHistory, "The history is forgotten.")
    case .channelCreate:
      CommandGrammar(one: .mapping(ChannelsSection.noun), "A broadcast channel comes into being.") {
        ChannelsSection.channel($0, &$1).map { .addChannel($0) }
      }
    case .channelDelete:
      CommandGrammar(one: ChannelCommands.deletionKind, "A broadcast channel is deleted.") {
        ChannelCommands.deletion($0, $1)
      }
    case .channelSubscribe:
      CommandGrammar(one: .mapping(ChannelCommands.subscriptionNoun), "A device subscribes to a channel.") {
        ChannelCommands.subscription($0, true, $1)
      }
    case .channelUnsubscribe:
      CommandGrammar(
        one: .mapping(ChannelCommands.subscriptionNoun),
        "A device no longer subscribes to a channel."
      ) {
        ChannelCommands.subscription($0, false, $1)
      }
    case .activityStart:
      CommandGrammar(one: .mapping(ActivitiesSection.noun), "An app starts a Live Activity.") {
        ActivitiesSection.activity($0, $1).map { .startActivity($0) }
      }
    case .appBroadcast:
      CommandGrammar(
        one: .mapping(ChannelCommands.capabilityNoun),
        "An App ID gets the broadcast capability, or loses it."
      ) {
        ChannelCommands.capability($0, $1)
      }
    case .deviceChange, .appRemove, .ruleAdd, .ruleRemove, .ruleClear, .connectionEnd, .reset,
      .scenarioReplace:
      nil
    }
  }

  /// - Returns: nil for a command that is not about devices.
  private static func ofDevices(_ name: CommandName) -> CommandGrammar? {
    switch name {
    case .deviceOnline:
      CommandGrammar(one: .device, "A device comes online, and gets what waits for it.") {
        device($0, $1).map { .setOnline(device: $0, true) }
      }
    case .deviceOffline:
      CommandGrammar(one: .device, "A device goes offline.") {
        device($0, $1).map { .setOnline(device: $0, false) }
      }
    case .deviceRemove:
      CommandGrammar(one: .device, "A device ceases to exist.") {
        device($0, $1).map { .removeDevice($0) }
      }
    case .deviceInstall:
      CommandGrammar(one: installedKind, "An app is installed on a device, or all of its apps.") {
        installed($0, true, $1)
      }
    case .deviceUninstall:
      CommandGrammar(one: installedKind, "An app is removed from a device, or all of its apps.") {
        installed($0, false, $1)
      }
    case .deviceRotate:
      CommandGrammar(one: installedKind, "An app on a device gets another token, or each of its apps does.") {
        rotated($0, $1)
      }
    case .deviceAdd:
      CommandGrammar(DevicesSection.entries(least: 1), "Devices come into being, or are replaced.") {
        added($0, &$1)
      }
    default: nil
    }
  }

  /// The name of a device of the file.
  static func device(_ value: Value, _ draft: ScenarioDraft) -> String? {
    guard let name = value.text("the name of a device"), draft.noteDevice(value) else { return nil }
    return name
  }

  private static let installedKind = ValueKind.either([.device, .mapping(installedNoun)])
  private static let installedNoun = Noun(
    "installation",
    "what to install",
    "An app on a device.",
    rows: [Noun.Row("device", .device, "The device.", .required)]
      + AppReference.rows("The app, by its topic; all that the device has where none is named."),
    terms: [.with("environment", "app")]
  )

  private static func installed(_ value: Value, _ isInstalled: Bool, _ draft: ScenarioDraft) -> Command? {
    appsOfDevice(value, as: isInstalled ? "what to install" : "what to uninstall", draft)
      .map { .setInstalled(device: $0.device, app: $0.app, isInstalled) }
  }

  private static func rotated(_ value: Value, _ draft: ScenarioDraft) -> Command? {
    appsOfDevice(value, as: "whose token to rotate", draft)
      .map { .rotateTokens(device: $0.device, app: $0.app) }
  }

  /// `bob` for all his apps, or `{ device: bob, app: com.example.app }`.
  private static func appsOfDevice(
    _ value: Value,
    as subject: String,
    _ draft: ScenarioDraft
  ) -> (device: String, app: AppKey?)? {
    if value.scalar != nil { return device(value, draft).map { ($0, nil) } }
    guard let fields = Fields(value, of: installedNoun, as: subject),
      let name = fields.require("device").flatMap({ device($0, draft) }),
      let app = AppReference.readIfGiven(fields, onDevice: name, draft)
    else { return nil }
    return (name, app)
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
    guard let fields = Fields(value, of: FeedbackSection.addition) else { return nil }
    let subject = FeedbackSection.subject(fields, draft)
    let app = AppReference.read(fields, of: subject, draft)
    var moment: FeedbackSpecification.Moment? = .after(.zero)
    if fields["at"] != nil || fields["after"] != nil { moment = FeedbackSection.moment(fields) }
    guard let subject, let app, let moment else { return nil }
    return .addFeedback(FeedbackSpecification(subject: subject, app: app, moment: moment))
  }

  private static let clearingKind = ValueKind.either([.word("all"), .mapping(clearingNoun)])
  private static let clearingNoun = Noun(
    "feedbackClearing",
    "a list to clear",
    "The feedback list of an app.",
    rows: AppReference.rows
  )

  /// `all`, or `{ app: com.example.app }`.
  private static func clearing(_ value: Value, _ draft: ScenarioDraft) -> Command? {
    if value.scalar == "all" { return .clearFeedback(nil) }
    guard let fields = Fields(value, of: clearingNoun) else { return nil }
    return AppReference.read(fields, onDevice: nil, draft).map { .clearFeedback($0) }
  }
}
