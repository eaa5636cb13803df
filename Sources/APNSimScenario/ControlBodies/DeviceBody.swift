package import APNSimCore

/// Reads the bodies that put, change, install on and uninstall from a device.
package enum DeviceBody {
  /// `PUT`: the whole device, as an entry of a scenario's `devices`.
  /// - Parameters:
  ///   - environment: that of apps without one.
  ///   - token: that of apps which say nothing of theirs; nil has them issued.
  package static func put(
    _ text: String,
    name: String,
    environment: PushEnvironment = .production,
    token: [UInt8]? = nil
  ) throws(DocumentError) -> DeviceSpecification {
    try BodyText.read(text) { root in
      guard var device = device(root, name, environment) else { return nil }
      guard let token else { return device }
      let topics = topicsOfTokens(root)
      for index in device.apps.indices where !(topics?.contains(device.apps[index].app.topic) ?? true) {
        device.apps[index].token = token
      }
      return device
    }
  }

  /// The topics of the apps to which a device's body gives tokens; nil where it gives one to all of them.
  private static func topicsOfTokens(_ root: Value) -> Set<String>? {
    let entries = root.entries("a device")
    guard !entries.contains(where: { $0.name == "token" }) else { return nil }
    guard let apps = entries.first(where: { $0.name == "apps" })?.value, case .sequence(let items) = apps.node
    else { return [] }
    var topics: Set<String> = []
    for case .mapping(let item) in items where item["token"] != nil {
      if let topic = item["topic"]?.scalar?.string { topics.insert(topic) }
    }
    return topics
  }

  /// `PATCH`: what is given changes, the rest stays. `token` and `installed` are for all apps, those that the device
  /// has where none are given.
  /// - Parameter environment: that of apps without one.
  package static func patch(
    _ text: String,
    device name: String,
    environment: PushEnvironment = .production
  ) throws(DocumentError) -> DeviceChange {
    try BodyText.read(text) { root in
      var given: Set<String> = []
      if case .mapping = root.node { given = Set(root.entries("a device").map(\.name)) }
      var change = DeviceChange(device: name)
      guard case .mapping = root.node, !given.contains("apps") else {
        guard let device = device(root, name, environment) else { return nil }
        change.apps = .exactly(device.apps)
        if given.contains("online") { change.isOnline = device.isOnline }
        if given.contains("languages") { change.languages = device.languages }
        return change
      }
      guard let fields = Fields(body: root, of: "a device", keys: DevicesSection.noun.keys) else {
        return nil
      }
      change.isOnline = fields["online"].flatMap { $0.flag("online") }
      change.languages = fields["languages"].map { DevicesSection.languages($0) }
      var state = DeviceChange.AppState()
      state.token = fields["token"].flatMap { $0.deviceToken() }
      state.isInstalled = fields["installed"].flatMap { $0.flag("installed") }
      if state != DeviceChange.AppState() { change.apps = .every(state) }
      return change
    }
  }

  private static func device(
    _ root: Value,
    _ name: String,
    _ environment: PushEnvironment
  ) -> DeviceSpecification? {
    guard case .mapping = root.node else {
      root.mismatch("a device such as {\"apps\": [\"com.example.app\"]}")
      return nil
    }
    var draft = ScenarioDraft(serverSettings: [], environment: environment)
    let key = Value(node: .scalar(Node.Scalar(string: name, style: .doubleQuoted)), problems: root.problems)
    return DevicesSection.device(Entry(name: name, key: key, value: root), &draft)
  }

  /// `install` and `uninstall`: one app, or all that the device has where none is named.
  /// - Parameter usual: where an app without an environment goes that the device does not have; nil is production.
  package static func installation(
    _ text: String,
    device name: String,
    isInstalled: Bool,
    usual: (_ topic: String) -> PushEnvironment? = { _ in nil }
  ) throws(DocumentError) -> Command {
    try BodyText.read(text) { root in
      let subject = isInstalled ? "an installation" : "the removal of an app"
      let keys = ["topic", "environment"] + (isInstalled ? ["token"] : [])
      guard let fields = Fields(body: root, of: subject, keys: keys) else { return nil }
      let environment = fields["environment"].flatMap {
        $0.choice("the environment", of: PushEnvironment.self)
      }
      let written = isInstalled ? fields["token"] : nil
      let token = written.flatMap { $0.deviceToken() }
      guard let value = fields["topic"] else {
        if let other = fields["environment"] ?? written {
          other.report("name the app in \"topic\"")
        }
        return .setInstalled(device: name, app: nil, isInstalled)
      }
      guard let topic = value.topic() else { return nil }
      let state = DeviceChange.AppState(token: token, isInstalled: isInstalled)
      return .changeDevice(
        DeviceChange(device: name, apps: .one(topic: topic, environment: environment ?? usual(topic), state))
      )
    }
  }
}
