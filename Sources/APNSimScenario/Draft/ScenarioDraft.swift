import APNSimCore
import APNSimWire

/// The result of the sections that were read so far, with what later sections look up.
struct ScenarioDraft {
  var script = ScenarioScript()
  /// The places outside the traffic that name its connections.
  var connectionNames: [Value] = []
  /// Settings of the process that a scenario may not have.
  let serverSettings: [String]
  /// The environment of apps that name none.
  let environment: PushEnvironment
  /// The environments of each app that the file lists; nil without an `apps` section.
  var environments: [ExactText: [PushEnvironment]]?
  /// The device of each token, by app, and the place in the file.
  var tokens: [[UInt8]: [AppKey: (device: String, location: SourceLocation)]] = [:]
  /// The channels that the file names, by identifier and app, and their places in the file.
  var channels: [String: [AppKey: SourceLocation]] = [:]
  /// The devices that were readable, by name.
  var devices: [ExactText: DeviceSpecification] = [:]

  var scenario: Scenario {
    get { script.scenario }
    _modify { yield &script.scenario }
  }

  init(serverSettings: [String], environment: PushEnvironment = .production) {
    self.serverSettings = serverSettings
    self.environment = environment
  }

  /// Reports a scenario that is too large for the line of a journal, from which it must be read again.
  func checkSize(at value: Value) {
    var writer = JSONWriter()
    scenario.write(to: &writer)
    guard writer.bytes.count > DocumentLimits.scenario else { return }
    value.report(
      "the scenario is larger than \(DocumentLimits.scenario >> 20) MiB when written out in full"
    )
  }

  /// The environments that an app named without one is in. A file that lists its apps has to list this one;
  /// without a list it is the usual one.
  func environments(of topic: String, at value: Value) -> [PushEnvironment]? {
    guard let environments else {
      guard !value.problems.isRecorded else {
        value.report(
          "the environment of the app \"\(topic)\" is not named, as it is in every recorded command"
        )
        return nil
      }
      return [environment]
    }
    guard let found = environments[ExactText(topic)] else {
      value.report(
        "the app \"\(topic)\" is not one of this file's apps",
        suggestion: NearestName.find(topic, among: environments.keys.map(\.text).sorted())
      )
      return nil
    }
    return found
  }
}

/// Names that parts of a file use for what other parts define: devices and connections.
extension ScenarioDraft {
  /// Reports a device that nothing in the file adds. A token in hex digits names one too: the file's own, or one of the
  /// usual size, whose device is made on first sight.
  @discardableResult
  func noteDevice(_ value: Value) -> Bool {
    guard let name = value.scalar, !value.accepts(devices[ExactText(name)] != nil) else { return true }
    if let token = Hex.decode(name), tokens[token] != nil || token.count == 32 { return true }
    value.report(
      "no device is called \"\(name)\"",
      suggestion: NearestName.find(name, among: devices.keys.map(\.text).sorted())
    )
    return false
  }

  /// Remembers a connection's name until all the traffic is known.
  mutating func noteConnection(_ value: Value) { connectionNames.append(value) }

  /// Remembers the names of connections in queries.
  mutating func noteConnections(in fields: Fields) {
    for key in ["where", "inbox"] where fields.keys.contains(key) {
      guard let value = fields[key], case .mapping = value.node else { continue }
      for entry in value.entries("a mapping") {
        if key == "where", entry.name == "connection", entry.value.scalar != nil {
          noteConnection(entry.value)
        }
        guard key == "inbox", entry.name == "where", case .mapping = entry.value.node else { continue }
        for inner in entry.value.entries("a mapping") where inner.name == "connection" {
          if inner.value.scalar != nil { noteConnection(inner.value) }
        }
      }
    }
  }

  /// Reports names of connections that no step of the traffic has. The simulator's own (`c3`) are left alone.
  func checkConnections() {
    let known = script.providers.keys.sorted()
    for value in connectionNames {
      guard let name = value.scalar, script.providers[name] == nil, ConnectionID(name) == nil else {
        continue
      }
      value.report(
        "no connection of the traffic is called \"\(name)\"",
        suggestion: NearestName.find(name, among: known)
      )
    }
  }
}

/// One top-level key of a scenario file and how its value is read.
protocol ScenarioSection: Sendable {
  /// The key, with what stands there.
  static var row: Noun.Row { get }
  /// Adds what the value says to the draft, and what is wrong with it to the value's problems.
  static func read(_ value: Value, into draft: inout ScenarioDraft)
}

extension ScenarioSection {
  static var key: String { row.key }
}
