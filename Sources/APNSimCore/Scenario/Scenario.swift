package import APNSimWire

/// A situation to start from, as a value: what a scenario file says and what a capture's header implies.
///
/// The scenario room turns files into this and names line and column where it cannot; the core only applies it.
public struct Scenario: Hashable, Sendable {
  public var name = ""
  /// Seeds all randomness; nil leaves the choice to whoever starts the simulator.
  public var seed: UInt64?
  /// Nil is the real one; a scenario that comes over the control API then has the clock that the process began with.
  public var clock: ClockSetting?
  /// Settings in the order they were written: `Setting.name` and text.
  public var settings: [SettingAssignment] = []
  /// Apps that exist before any provider connects.
  public var apps: [AppKey] = []
  /// The teams of bundle IDs that are not any team's.
  package var teams: [String: String] = [:]
  /// The bundle IDs that lack the broadcast capability.
  package var silentApps: [String] = []
  /// The attributes that the Live Activities of bundle IDs decode, by the names of their types.
  package var activityTypes: [String: [String: ActivitySchema]] = [:]
  /// The parts of apps for showing notifications: strings, sounds, images.
  package var bundles: [AppKey: AppBundle] = [:]
  public var devices: [DeviceSpecification] = []
  package var channels: [ChannelSpecification] = []
  package var activities: [ActivitySpecification] = []
  public var feedback: [FeedbackSpecification] = []
  package var rules: [Rule] = []
  /// Commands and expectations at their simulated times.
  package var timeline: [TimelineEntry] = []
  /// The expectations at the end.
  package var expectations: [Expectation] = []
  /// The state the rules start in; empty is none.
  package var state = ""

  public init() {}

  /// True if it begins with something that may be about its devices.
  var hasMoreThanDevices: Bool { !channels.isEmpty || !activities.isEmpty || !feedback.isEmpty }
}

/// One `key: value` of a scenario's `settings`.
public struct SettingAssignment: Hashable, Sendable {
  public var name: String
  public var text: String

  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

extension Scenario {
  /// Writes the scenario as the JSON of a scenario file, which reads back as the same value.
  ///
  /// The resources by which apps show notifications are left out: they lie in files of their own, and nothing that a
  /// simulator decides depends on it. So is what is expected of a connection by its name in a file's traffic.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("version", 1)
    if !name.isEmpty {
      writer.member("name", name)
    }
    if let seed {
      writer.member("seed", seed)
    }
    writeClock(to: &writer)
    if !settings.isEmpty {
      writer.key("settings")
      writer.beginObject()
      for setting in settings {
        writer.key(setting.name)
        writer.string(setting.text)
      }
      writer.endObject()
    }
    if !apps.isEmpty { writeApps(to: &writer) }
    if !devices.isEmpty {
      writer.key("devices")
      writer.beginObject()
      for device in devices {
        writer.key(device.name)
        device.write(to: &writer)
      }
      writer.endObject()
    }
    writeList("channels", channels, to: &writer) { $0.write(to: &$1) }
    writeList("activities", activities, to: &writer) { $0.write(to: &$1) }
    writeList("feedback", feedback, to: &writer) { $0.write(to: &$1) }
    writeList("rules", rules, to: &writer) { $0.write(to: &$1) }
    if !state.isEmpty {
      writer.member("state", state)
    }
    writeList("timeline", timeline, to: &writer) { $0.write(to: &$1) }
    writeList("expect", expectations.filter { !$0.namesConnection }, to: &writer) { $0.write(to: &$1) }
    writer.endObject()
  }

  private func writeClock(to writer: inout JSONWriter) {
    guard let clock else { return }
    writer.key("clock")
    writer.beginObject()
    switch clock {
    case .real: writer.member("mode", "real")
    case .virtual(let start):
      writer.member("mode", "virtual")
      if let start {
        writer.member("start", start.description)
      }
    }
    writer.endObject()
  }

  /// By topic, in the order in which topics come first.
  private func writeApps(to writer: inout JSONWriter) {
    writer.key("apps")
    writer.beginObject()
    var environments = Dictionary(grouping: apps, by: \.topic).mapValues { Set($0.map(\.environment)) }
    for app in apps {
      guard let all = environments.removeValue(forKey: app.topic) else { continue }
      writer.key(app.topic)
      writer.beginObject()
      writer.member("environment", all.count > 1 ? "both" : app.environment.rawValue)
      if let team = teams[app.topic] { writer.member("team", team) }
      if silentApps.contains(where: { $0.isExactly(app.topic) }) { writer.member("broadcast", false) }
      writeActivityTypes(of: app.topic, to: &writer)
      writer.endObject()
    }
    writer.endObject()
  }

  private func writeActivityTypes(of bundleId: String, to writer: inout JSONWriter) {
    guard let types = activityTypes[bundleId] else { return }
    writer.key("activities")
    writer.beginObject()
    for (name, schema) in types.sorted(by: { ExactText($0.key) < ExactText($1.key) }) {
      writer.key(name)
      schema.write(to: &writer)
    }
    writer.endObject()
  }

  private func writeList<Element>(
    _ key: StaticString,
    _ elements: [Element],
    to writer: inout JSONWriter,
    _ write: (Element, inout JSONWriter) -> Void
  ) {
    guard !elements.isEmpty else { return }
    writer.key(key)
    writer.beginArray()
    for element in elements { write(element, &writer) }
    writer.endArray()
  }
}

extension TimelineEntry {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("at", at.description)
    switch action {
    case .perform(let command):
      writer.key("do")
      command.write(to: &writer)
    case .expect(let expectation):
      writer.key("expect")
      expectation.write(to: &writer)
    }
    writer.endObject()
  }
}
