package import APNSimCore
import APNSimWire
import Yams

/// What the control API is told of devices.
package enum DeviceRequest {
  /// `PUT`: the whole device, as an entry of a scenario's `devices`.
  package static func put(_ text: String, name: String) throws(DocumentError) -> DeviceSpecification {
    try RequestText.read(text) { device($0, name) }
  }

  /// `PATCH`: what is given changes, the rest stays. `token` and `installed` are for all apps, those that the device
  /// has where none are given.
  package static func patch(
    _ text: String,
    of known: DeviceSpecification
  ) throws(DocumentError) -> DeviceSpecification {
    try RequestText.read(text) { root in
      guard case .mapping(var mapping) = root.node else { return device(root, known.name) }
      let given = Set(root.entries("a device").map(\.name))
      if !given.contains("apps") {
        mapping["apps"] = Node(known.apps.map { Node($0, without: given) })
      }
      guard var patched = device(Value(node: .mapping(mapping), problems: root.problems), known.name) else {
        return nil
      }
      if !given.contains("online") { patched.isOnline = known.isOnline }
      if !given.contains("languages") { patched.languages = known.languages }
      return patched
    }
  }

  private static func device(_ root: Value, _ name: String) -> DeviceSpecification? {
    guard case .mapping = root.node else {
      root.mismatch("a device such as {\"apps\": [\"com.example.app\"]}")
      return nil
    }
    var draft = ScenarioDraft(serverSettings: [])
    let key = Value(node: Node(name, .implicit, .doubleQuoted), problems: root.problems)
    return DevicesSection.device(Entry(name: name, key: key, value: root), &draft)
  }

  /// Which app an installation is about; nil in `topic` is all of them.
  package struct Installation: Hashable, Sendable {
    package var topic: String?
    package var environment: PushEnvironment?
    package var token: [UInt8]?

    package init() {}
  }

  package static func installation(_ text: String) throws(DocumentError) -> Installation {
    try RequestText.read(text) { root in
      guard let fields = Fields(root, of: "an installation", keys: ["topic", "environment", "token"]) else {
        return nil
      }
      var installation = Installation()
      installation.topic = fields["topic"].flatMap { $0.topic() }
      installation.environment = fields["environment"].flatMap {
        $0.choice("the environment", of: PushEnvironment.self)
      }
      installation.token = fields["token"].flatMap { $0.deviceToken()?.bytes }
      if fields["topic"] == nil, let other = fields["environment"] ?? fields["token"] {
        other.report("say which app with \"topic\"")
      }
      return installation
    }
  }
}

extension Node {
  /// An app of a device as its `apps` have it, but for what the device says for all of them.
  fileprivate init(_ app: AppSpecification, without given: Set<String>) {
    func text(_ text: String) -> Node { Node(text, .implicit, .doubleQuoted) }
    var members = ["topic": text(app.app.topic), "environment": text(app.app.environment.rawValue)]
    if !given.contains("token") { members["token"] = app.token.map { text(Hex.encode($0)) } }
    if !given.contains("installed") { members["installed"] = Node("\(app.isInstalled)") }
    self.init(members.map { (Node($0.key), $0.value) })
  }
}
