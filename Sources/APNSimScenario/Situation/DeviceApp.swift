import APNSimCore

/// One item of a device's `apps`: a topic, or `{ topic, environment, token, installed }`.
enum DeviceApp {
  static let noun = Noun(
    "deviceApp",
    "an app of a device",
    "An app on a device.",
    rows: [
      Noun.Row("topic", .topic, "The app's topic.", .required),
      Noun.Row(
        "environment",
        .choice(of: AppsSection.Environment.self),
        "The environments that the device is registered in; the app's where nothing is said."
      ),
      Noun.Row(
        "token",
        .form(.deviceToken),
        "The token of this device for the app: in hex digits, or issued."
      ),
      Noun.Row("installed", .flag, "False where the app is gone, so that the device refuses what comes."),
      Noun.Row("expires", .form(.tokenLife), "When the token ends: from then on 410 ExpiredToken."),
    ]
  )

  /// Reads one app per environment that the item stands for; nothing after reporting a problem.
  static func read(
    _ item: Value,
    _ defaults: AppDefaults,
    _ draft: inout ScenarioDraft
  ) -> [AppSpecification] {
    var token = defaults.token
    var isInstalled = defaults.isInstalled
    var place = item
    var expires: TokenLife?
    var topic: String?
    var environments: [PushEnvironment]?
    if item.scalar != nil {
      topic = item.topic()
      environments = topic.flatMap { draft.environments(of: $0, at: item) }
    } else {
      guard let fields = Fields(item, of: noun) else { return [] }
      topic = fields.require("topic")?.topic()
      if let named = fields["environment"] {
        environments = named.choice("the environment", of: AppsSection.Environment.self)?.environments
      } else if let topic, let value = fields["topic"] {
        environments = draft.environments(of: topic, at: value)
      }
      if let value = fields["token"] {
        token = value.deviceToken()
        place = value
      }
      isInstalled = fields["installed"].flatMap { $0.flag("installed") } ?? isInstalled
      if let value = fields["expires"] {
        expires = value.scalar.flatMap { TokenLife($0) }
        if expires == nil {
          value.mismatch(
            "a duration such as 8h, or a time such as 2012-06-01T00:00:00Z, after which the token expires"
          )
        }
      }
    }
    guard let topic, let environments else { return [] }
    return environments.map { environment in
      let app = AppKey(topic: topic, environment: environment)
      note(token, of: app, on: defaults.device, at: place, &draft)
      var specification = AppSpecification(app: app, token: token?.bytes, isInstalled: isInstalled)
      specification.expires = expires
      return specification
    }
  }

  /// Remembers the token's device, and reports a token that another device has already. The same device may get it
  /// again: a timeline removes and adds it.
  private static func note(
    _ token: TokenSource?,
    of app: AppKey,
    on device: String,
    at place: Value,
    _ draft: inout ScenarioDraft
  ) {
    guard let bytes = token?.bytes else { return }
    if let other = draft.tokens[bytes]?[app] {
      guard !place.accepts(other.device == device) else { return }
      place.report(
        "this token of \(app) already belongs to \"\(other.device)\" (line \(other.location.line))"
      )
    } else {
      draft.tokens[bytes, default: [:]][app] = (device, place.location)
    }
  }
}
