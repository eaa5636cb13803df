import APNSimCore
import APNSimWire

/// What the sections of one file have said so far, with what later sections look up.
struct ScenarioDraft {
  var script = ScenarioScript()
  /// Where connections of the traffic are named outside of it.
  var connectionNames: [Value] = []
  /// Settings of the process that a scenario may not have.
  let serverSettings: [String]
  /// That of apps without one.
  let environment: PushEnvironment
  /// The environments of each app that the file lists; nil without an `apps` section.
  var environments: [String: [PushEnvironment]]?
  /// Which device has a token, by app, and where the file says so.
  var tokens: [[UInt8]: [AppKey: (device: String, location: SourceLocation)]] = [:]
  /// The devices by name, as far as they were readable.
  var devices: [String: DeviceSpecification] = [:]

  var scenario: Scenario {
    get { script.scenario }
    _modify { yield &script.scenario }
  }

  init(serverSettings: [String], environment: PushEnvironment = .production) {
    self.serverSettings = serverSettings
    self.environment = environment
  }

  /// A journal has the scenario in one line, from which it is read again.
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
    guard let environments else { return [environment] }
    guard let found = environments[topic] else {
      value.report(
        "the app \"\(topic)\" is not one of this file's apps",
        suggestion: NearestName.find(topic, among: environments.keys.sorted())
      )
      return nil
    }
    return found
  }
}
