package import APNSimCore

/// What the control API is told of devices.
package enum DeviceRequest {
  /// `PUT`: the whole device, as an entry of a scenario's `devices`.
  package static func put(_ text: String, name: String) throws(DocumentError) -> DeviceSpecification {
    try RequestText.read(text) { root in
      var draft = ScenarioDraft(serverSettings: [])
      return DevicesSection.device(Entry(name: name, key: root, value: root), &draft)
    }
  }

  /// `PATCH`: what is given changes, the rest stays.
  package struct Patch: Hashable, Sendable {
    package var isOnline: Bool?
    package var apps: [AppSpecification]?
    package var languages: [String]?
  }

  package static func patch(_ text: String, name: String) throws(DocumentError) -> Patch {
    try RequestText.read(text) { root in
      var draft = ScenarioDraft(serverSettings: [])
      guard
        let device = DevicesSection.device(Entry(name: name, key: root, value: root), &draft),
        let keys = Optional(Set(root.entries("a device").map(\.name)))
      else { return nil }
      return Patch(
        isOnline: keys.contains("online") ? device.isOnline : nil,
        apps: keys.contains("apps") ? device.apps : nil,
        languages: keys.contains("languages") ? device.languages : nil
      )
    }
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
