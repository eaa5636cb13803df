package import APNSimCore

/// Reads the bodies that put and change a device, install on it, uninstall from it and rotate its tokens.
package enum DeviceBody {
  static let noun = Noun(
    "DeviceRequest",
    DevicesSection.noun.subject,
    "A device, or what changes of it; token and installed are for all its apps, in a change without apps for those it has.",
    rows: DevicesSection.noun.rows
  )
  static let installationNoun = Noun(
    "Installation",
    "an installation",
    "Without a topic, all apps of the device. A topic without an environment means every environment the device has it in, "
      + "else the first one that is served: production, or the sandbox if only that is served.",
    rows: appRows + [
      Noun.Row(
        "token",
        .form(.deviceToken),
        "If absent, the one it has; if it has none, the simulator issues one."
      )
    ],
    terms: [.with("environment", "topic"), .with("token", "topic")]
  )
  static let removalNoun = Noun(
    "Uninstallation",
    "the removal of an app",
    "Without a topic, all apps of the device. A topic without an environment means every environment the device has it in.",
    rows: appRows,
    terms: [.with("environment", "topic")]
  )
  static let rotationNoun = Noun(
    "Rotation",
    "a rotation of tokens",
    "Without a topic, all apps of the device that are installed. A topic without an environment means every environment the "
      + "device has it in.",
    rows: appRows,
    terms: [.with("environment", "topic")]
  )
  private static let appRows = AppReference.bodyRows(
    .optional,
    topic: AppReference.bundleMeaning,
    environment: "The environment."
  )

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
      guard isMapping(root), let fields = Fields(root, of: noun) else { return nil }
      var draft = ScenarioDraft(serverSettings: [], environment: environment)
      return DevicesSection.change(fields, of: name, &draft)
    }
  }

  private static func device(
    _ root: Value,
    _ name: String,
    _ environment: PushEnvironment
  ) -> DeviceSpecification? {
    guard isMapping(root) else { return nil }
    var draft = ScenarioDraft(serverSettings: [], environment: environment)
    let key = Value(node: .scalar(Node.Scalar(string: name, style: .doubleQuoted)), problems: root.problems)
    return DevicesSection.device(Entry(name: name, key: key, value: root), &draft)
  }

  private static func isMapping(_ root: Value) -> Bool {
    if case .mapping = root.node { return true }
    root.mismatch("a device such as {\"apps\": [\"com.example.app\"]}")
    return false
  }

  /// `rotate`: one app in each of its environments, or all apps where none is named.
  /// - Parameter environments: those that the device has an app in.
  package static func rotation(
    _ text: String,
    device name: String,
    environments: (_ topic: String) -> [PushEnvironment]
  ) throws(DocumentError) -> [Command] {
    try BodyText.read(text) { root in
      guard let fields = Fields(root, of: rotationNoun) else { return nil }
      let environment = fields["environment"].flatMap {
        $0.choice("the environment", of: PushEnvironment.self)
      }
      guard let value = fields["topic"] else {
        fields["environment"]?.report("name the app in \"topic\"")
        return [.rotateTokens(device: name, app: nil)]
      }
      guard let topic = value.topic() else { return nil }
      let found = environment.map { [$0] } ?? environments(topic)
      return (found.isEmpty ? [.production] : found).map {
        .rotateTokens(device: name, app: AppKey(topic: topic, environment: $0))
      }
    }
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
      guard let fields = Fields(root, of: isInstalled ? installationNoun : removalNoun) else { return nil }
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
