package import APNSimCore
import APNSimWire

/// Reads the body that starts a Live Activity on a device:
///
///     {"topic":"com.example.app","attributesType":"ScoreAttributes","channel":"…","contentState":{"score":1}}
package enum ActivityBody {
  /// - Parameter usual: the environment that is meant where none is named.
  package static func start(
    _ text: String,
    device: String,
    environment usual: PushEnvironment = .production
  ) throws(DocumentError) -> Command {
    try BodyText.read(text) { root in
      let keys = ["topic", "environment", "attributesType", "token", "channel", "attributes", "contentState"]
      guard let fields = Fields(body: root, of: "an activity", keys: keys),
        let topic = fields.require("topic")?.topic(),
        let type = fields.require("attributesType")?.text("the name of a type")
      else { return nil }
      let environment =
        fields["environment"].map { $0.choice("the environment", of: PushEnvironment.self) } ?? usual
      guard let environment else { return nil }
      let app = AppKey(
        topic: AppKey(topic: topic, environment: environment).bundleId,
        environment: environment
      )
      var activity = ActivitySpecification(device: device, app: app, attributesType: type)
      ActivitiesSection.note(fields, on: &activity)
      activity.channel = fields["channel"].flatMap { ChannelsSection.identifier($0) }
      return .startActivity(activity)
    }
  }
}
