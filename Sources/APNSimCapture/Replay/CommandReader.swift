package import APNSimCore
import APNSimScenario
import APNSimWire

/// Reads the commands of a journal, the inverse of `Command.write`: `{"device.online":"bob"}`.
package enum CommandReader {
  /// - Returns: nil for a command that this program does not know.
  static func read(_ json: [UInt8]) -> Command? {
    guard let member = (try? JSONValue.parse(json))?.objectValue?.first,
      let name = CommandName(rawValue: member.key)
    else { return nil }
    let value = member.value
    switch name {
    case .deviceAdd:
      return value.objectValue?.first.map { .putDevice(device($0.key, $0.value)) }
    case .deviceChange: return change(value).map { .changeDevice($0) }
    case .deviceRemove: return value.stringValue.map { .removeDevice($0) }
    case .deviceOnline: return value.stringValue.map { .setOnline(device: $0, true) }
    case .deviceOffline: return value.stringValue.map { .setOnline(device: $0, false) }
    case .deviceInstall: return installed(value, true)
    case .deviceUninstall: return installed(value, false)
    case .appRemove:
      guard let name = value.member("device")?.stringValue, let app = app(value) else { return nil }
      return .removeApp(device: name, app)
    case .feedbackAdd: return feedback(value)
    case .feedbackClear:
      return value.stringValue != nil ? .clearFeedback(nil) : app(value).map { .clearFeedback($0) }
    case .clockAdvance: return value.stringValue.flatMap { TimeSpan($0) }.map { .advanceClock($0) }
    case .clockSet: return value.stringValue.flatMap { Timestamp($0) }.map { .setClock($0) }
    case .clockFreeze: return .freezeClock
    case .clockResume: return .resumeClock
    case .historyClear: return .clearHistory
    case .ruleAdd: return rule(value).map { .addRule($0) }
    case .ruleRemove: return value.stringValue.map { .removeRule($0) }
    case .ruleClear: return .clearRules
    case .channelCreate: return channel(value).map { .addChannel($0) }
    case .channelDelete: return reference(value).map { .deleteChannel($0) }
    case .channelSubscribe, .channelUnsubscribe:
      guard let device = value.member("device")?.stringValue, let reference = reference(value) else {
        return nil
      }
      return .setSubscribed(device: device, reference, name == .channelSubscribe)
    case .activityStart: return activity(value).map { .startActivity($0) }
    case .appBroadcast:
      guard let topic = value.member("app")?.stringValue, let isOn = value.member("broadcast")?.boolValue
      else {
        return nil
      }
      return .setBroadcast(bundleId: topic, isOn)
    case .connectionEnd:
      guard let id = value.member("connection")?.stringValue.flatMap({ ConnectionID($0) }),
        let how = value.member("mode")?.stringValue.flatMap(KillMode.init(rawValue:))
      else { return nil }
      return .endConnection(id, how)
    case .reset: return .reset
    case .scenarioReplace: return scenario(value).map { .replaceScenario($0) }
    }
  }

  /// The connection that a command ends; nil for any other command.
  package static func endedConnection(in json: [UInt8]) -> ConnectionID? {
    if case .endConnection(let id, _)? = read(json) { id } else { nil }
  }

  private static func app(_ value: JSONValue, _ key: String = "app") -> AppKey? {
    guard let topic = value.member(key)?.stringValue,
      let environment = value.member("environment")?.stringValue.flatMap(PushEnvironment.init(rawValue:))
    else { return nil }
    return AppKey(topic: topic, environment: environment)
  }

  private static func device(_ name: String, _ value: JSONValue) -> DeviceSpecification {
    DeviceSpecification(
      name: name,
      isOnline: value.member("online") != .bool(false),
      apps: apps(value) ?? [],
      languages: languages(value) ?? []
    )
  }

  private static func apps(_ value: JSONValue) -> [AppSpecification]? {
    value.member("apps")?.arrayValue?.compactMap { item in
      guard let app = app(item, "topic") else { return nil }
      var specification = AppSpecification(
        app: app,
        token: item.member("token")?.stringValue.flatMap { Hex.decode($0) },
        isInstalled: item.member("installed") != .bool(false)
      )
      specification.expires = item.member("expires")?.stringValue.flatMap { TokenLife($0) }
      return specification
    }
  }

  private static func languages(_ value: JSONValue) -> [String]? {
    value.member("languages")?.arrayValue?.compactMap(\.stringValue)
  }

  private static func change(_ value: JSONValue) -> DeviceChange? {
    guard let name = value.member("device")?.stringValue else { return nil }
    var change = DeviceChange(device: name, isOnline: value.member("online")?.boolValue)
    change.languages = languages(value)
    var state = DeviceChange.AppState(isInstalled: value.member("installed")?.boolValue)
    if let token = value.member("token")?.stringValue {
      state.token = token == "issued" ? .issued : Hex.decode(token).map { .given($0) }
    }
    if let apps = apps(value) {
      change.apps = .exactly(apps)
    } else if let topic = value.member("app")?.stringValue {
      let environment = value.member("environment")?.stringValue.flatMap(PushEnvironment.init(rawValue:))
      change.apps = .one(topic: topic, environment: environment, state)
    } else if state != DeviceChange.AppState() {
      change.apps = .every(state)
    }
    return change
  }

  private static func installed(_ value: JSONValue, _ isInstalled: Bool) -> Command? {
    if let name = value.stringValue { return .setInstalled(device: name, app: nil, isInstalled) }
    guard let name = value.member("device")?.stringValue, let app = app(value) else { return nil }
    return .setInstalled(device: name, app: app, isInstalled)
  }

  private static func feedback(_ value: JSONValue) -> Command? {
    guard let app = app(value) else { return nil }
    let subject: FeedbackSpecification.Subject
    if let name = value.member("device")?.stringValue {
      subject = .device(name)
    } else if let token = value.member("token")?.stringValue.flatMap({ Hex.decode($0) }) {
      subject = .token(token)
    } else {
      return nil
    }
    let moment: FeedbackSpecification.Moment
    if let at = value.member("at")?.stringValue.flatMap({ Timestamp($0) }) {
      moment = .at(at)
    } else if let after = value.member("after")?.stringValue.flatMap({ TimeSpan($0) }) {
      moment = .after(after)
    } else {
      return nil
    }
    return .addFeedback(FeedbackSpecification(subject: subject, app: app, moment: moment))
  }

  private static func channel(_ value: JSONValue) -> ChannelSpecification? {
    guard let app = app(value),
      let policy = value.member("storagePolicy")?.intValue.flatMap(ChannelDescription.StoragePolicy.init)
    else { return nil }
    return ChannelSpecification(
      app: app,
      id: value.member("id")?.stringValue,
      storagePolicy: policy,
      subscribers: value.member("subscribers")?.arrayValue?.compactMap(\.stringValue) ?? []
    )
  }

  private static func activity(_ value: JSONValue) -> ActivitySpecification? {
    guard let app = app(value), let device = value.member("device")?.stringValue,
      let type = value.member("attributesType")?.stringValue
    else { return nil }
    return ActivitySpecification(
      device: device,
      app: app,
      attributesType: type,
      token: value.member("token")?.stringValue.flatMap { Hex.decode($0) },
      channel: value.member("channel")?.stringValue,
      attributes: value.member("attributes").map { Array(text($0).utf8) } ?? [],
      contentState: value.member("contentState").map { Array(text($0).utf8) } ?? []
    )
  }

  private static func reference(_ value: JSONValue) -> ChannelReference? {
    value.member("channel")?.stringValue.map { ChannelReference(id: $0, app: app(value)) }
  }

  /// Reads a rule as the control API does, which does not require that its device exists.
  private static func rule(_ value: JSONValue) -> Rule? { try? FaultBody.read(text(value)) }

  /// Reads a scenario as files are read.
  private static func scenario(_ value: JSONValue) -> Scenario? {
    try? ScenarioFile.parse(written: text(value), name: "command")
  }

  private static func text(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
