package import APNSimCore
import APNSimWire

/// Reads the bodies that create a channel and subscribe a device.
package enum ChannelBody {
  static let noun = Noun(
    "ChannelRequest",
    "a channel",
    "A broadcast channel of an app.",
    rows: AppReference.bodyRows + [
      Noun.Row("id", .form(.channel), "In Base64; one is made where none is given.", example: identifier),
      Noun.Row(
        "storagePolicy",
        .integer(0...1),
        "0 stores no message, 1 the most recent one.",
        usual: .number("1")
      ),
      Noun.Row("subscribers", .list(.device), "The names of devices that are subscribed."),
    ]
  )
  private static let identifier = JSONValue.string("tvI2UK0vEfEAAA6GFnjo2Q==")
  static let subscriptionNoun = Noun(
    "Subscription",
    "a subscription",
    "The device's subscription to a channel.",
    rows: [
      Noun.Row(
        "channel",
        .form(.channel),
        "The channel's identifier in Base64.",
        .required,
        example: identifier
      )
    ]
      + AppReference.bodyRows(
        .optional,
        topic: "The app, where several have a channel of this identifier.",
        environment: AppReference.servedMeaning
      ),
    terms: [.with("environment", "topic")]
  )

  /// `{"topic":"com.example.app","environment":"production","storagePolicy":1,"id":"…","subscribers":["alice"]}`; all but
  /// the topic may be left out.
  /// - Parameter usual: the environment that is meant where none is named.
  package static func create(
    _ text: String,
    environment usual: PushEnvironment = .production
  ) throws(DocumentError) -> ChannelSpecification {
    try BodyText.read(text) { root in
      guard let fields = Fields(root, of: noun), let app = AppReference.read(body: fields, usual) else {
        return nil
      }
      var channel = ChannelSpecification(app: AppReference.bundle(of: app, in: fields))
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
      guard let fields = Fields(root, of: subscriptionNoun) else { return nil }
      guard let id = fields.require("channel").flatMap({ ChannelsSection.identifier($0) }) else { return nil }
      var reference = ChannelReference(id: id)
      if let value = fields["topic"] {
        guard let topic = value.topic(), let environment = AppReference.environment(body: fields, usual)
        else {
          return nil
        }
        reference.app = AppKey(topic: topic, environment: environment)
      } else if let environment = fields["environment"] {
        environment.report("name the app in \"topic\"")
      }
      return .setSubscribed(device: device, reference, isSubscribed)
    }
  }
}
