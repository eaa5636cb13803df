package import APNSimCore
import APNSimWire

/// Reads the bodies that create a channel and subscribe a device.
package enum ChannelBody {
  /// `{"topic":"com.example.app","environment":"production","storagePolicy":1,"id":"…","subscribers":["alice"]}`; all but
  /// the topic may be left out.
  /// - Parameter usual: the environment that is meant where none is named.
  package static func create(
    _ text: String,
    environment usual: PushEnvironment = .production
  ) throws(DocumentError) -> ChannelSpecification {
    try BodyText.read(text) { root in
      let keys = ["topic", "environment", "id", "storagePolicy", "subscribers"]
      guard let fields = Fields(body: root, of: "a channel", keys: keys) else { return nil }
      guard let topic = fields.require("topic")?.topic(), let environment = environment(fields, usual) else {
        return nil
      }
      let app = AppKey(topic: topic, environment: environment)
      var channel = ChannelSpecification(app: AppKey(topic: app.bundleId, environment: environment))
      channel.id = fields["id"].flatMap { ChannelsSection.identifier($0) }
      channel.storagePolicy = fields["storagePolicy"].flatMap { ChannelsSection.policy($0) } ?? .mostRecent
      let names = fields["subscribers"].flatMap { $0.list("a list of devices, such as [\"alice\"]") }
      channel.subscribers = (names ?? []).compactMap { $0.text("the name of a device") }
      return channel
    }
  }

  /// `{"channel":"…"}`, with `topic` and `environment` where several apps have a channel of that identifier.
  package static func subscription(
    _ text: String,
    device: String,
    isSubscribed: Bool,
    environment usual: PushEnvironment = .production
  ) throws(DocumentError) -> Command {
    try BodyText.read(text) { root in
      let keys = ["channel", "topic", "environment"]
      guard let fields = Fields(body: root, of: "a subscription", keys: keys) else { return nil }
      guard let id = fields.require("channel").flatMap({ ChannelsSection.identifier($0) }) else { return nil }
      var reference = ChannelReference(id: id)
      if let value = fields["topic"] {
        guard let topic = value.topic(), let environment = environment(fields, usual) else { return nil }
        reference.app = AppKey(topic: topic, environment: environment)
      } else if let environment = fields["environment"] {
        environment.report("name the app in \"topic\"")
      }
      return .setSubscribed(device: device, reference, isSubscribed)
    }
  }

  private static func environment(_ fields: Fields, _ usual: PushEnvironment) -> PushEnvironment? {
    guard let value = fields["environment"] else { return usual }
    return value.choice("the environment", of: PushEnvironment.self)
  }
}
