package import APNSimCore
import APNSimWire

/// Reads the body that starts a Live Activity on a device:
///
///     {"topic":"com.example.app","attributesType":"ScoreAttributes","channel":"…","contentState":{"score":1}}
package enum ActivityBody {
  static let noun = Noun(
    "ActivityRequest",
    "an activity",
    "A Live Activity that an app starts on the device.",
    rows: AppReference.bodyRows + [
      Noun.Row(
        "attributesType",
        .text,
        "The type of its attributes.",
        .required,
        example: .string("ScoreAttributes")
      ),
      Noun.Row("token", .form(.activityToken), "Hex digits; one is made if there is no channel either."),
      Noun.Row("channel", .form(.channel), "The identifier of a channel of the app."),
    ] + ActivitiesSection.contentRows
  )

  /// - Parameter usual: the environment that is meant where none is named.
  package static func start(
    _ text: String,
    device: String,
    environment usual: PushEnvironment = .production
  ) throws(DocumentError) -> Command {
    try BodyText.read(text) { root in
      guard let fields = Fields(root, of: noun), let app = AppReference.read(body: fields, usual),
        let type = fields.require("attributesType")?.text("the name of a type")
      else { return nil }
      let bundle = AppReference.bundle(of: app, in: fields)
      var activity = ActivitySpecification(device: device, app: bundle, attributesType: type)
      ActivitiesSection.note(fields, on: &activity)
      activity.channel = fields["channel"].flatMap { ChannelsSection.identifier($0) }
      return .startActivity(activity)
    }
  }
}
