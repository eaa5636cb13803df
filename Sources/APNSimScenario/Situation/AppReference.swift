import APNSimCore
import APNSimWire

/// `app: com.example.app`, with `environment` where the app is in both.
enum AppReference {
  /// The rows of `app` and `environment`, where the app has to be there.
  static let rows = [Noun.Row("app", .topic, "The app, by its topic.", .required), environmentRow]

  /// The same, where it may be left out.
  static func rows(_ meaning: String) -> [Noun.Row] { [Noun.Row("app", .topic, meaning), environmentRow] }

  /// The rows of `topic` and `environment`, by which the bodies of requests name an app.
  static func bodyRows(_ need: Noun.Row.Need, topic: String, environment: String) -> [Noun.Row] {
    [Noun.Row("topic", .topic, topic, need), Noun.Row("environment", .environment, environment)]
  }

  /// The same for an app that has to be named, in the first environment that is served if in none.
  static let bodyRows = bodyRows(.required, topic: bundleMeaning, environment: servedMeaning)
  static let bundleMeaning = "The app's bundle ID."
  static let servedMeaning =
    "If absent, the first one that is served: production, or the sandbox if only that is served."

  /// Reads an app that a body has to name.
  static func read(body fields: Fields, _ usual: PushEnvironment) -> AppKey? {
    let topic = fields.require("topic")?.topic()
    let environment = environment(body: fields, usual)
    guard let topic, let environment else { return nil }
    return AppKey(topic: topic, environment: environment)
  }

  /// Reads the environment of an app that a body names.
  static func environment(body fields: Fields, _ usual: PushEnvironment) -> PushEnvironment? {
    guard let value = fields["environment"] else { return usual }
    return value.choice("the environment", of: PushEnvironment.self)
  }

  private static let environmentRow = Noun.Row(
    "environment",
    .environment,
    "The environment, where the app is in both."
  )

  /// Reads the app in exactly one environment: the one named, or the only one that is possible.
  static func read(
    _ fields: Fields,
    of subject: FeedbackSpecification.Subject?,
    _ draft: ScenarioDraft
  ) -> AppKey? {
    let named = fields["environment"].map { $0.choice("the environment", of: PushEnvironment.self) }
    guard let value = fields.require("app"), let topic = value.topic() else { return nil }
    var possible: [PushEnvironment]?
    if case .device(let name) = subject, let device = draft.devices[ExactText(name)] {
      let found = device.apps.filter { $0.app.topic == topic }.map(\.app.environment)
      guard !found.isEmpty else {
        value.report(
          "\"\(name)\" does not have the app \"\(topic)\"",
          suggestion: NearestName.find(topic, among: device.apps.map(\.app.topic))
        )
        return nil
      }
      possible = found
    } else if subject != nil, named == nil {
      possible = draft.environments(of: topic, at: value)
    }
    switch named {
    case .some(nil): return nil
    case .some(let environment?):
      if let possible, !possible.contains(environment) {
        value.report("the app \"\(topic)\" is not on this device in the \(environment.rawValue) environment")
        return nil
      }
      return AppKey(topic: topic, environment: environment)
    case nil:
      guard let possible else { return nil }
      guard Set(possible).count == 1, let environment = possible.first else {
        value.report("the app \"\(topic)\" is in both environments: choose one with \"environment\"")
        return nil
      }
      return AppKey(topic: topic, environment: environment)
    }
  }
}

extension AppReference {
  /// The bundle ID of an app that is named with or without the suffix of a push type; a recorded command names it without.
  static func bundle(of app: AppKey, in fields: Fields) -> AppKey {
    fields.value.problems.isRecorded ? app : AppKey(topic: app.bundleId, environment: app.environment)
  }

  /// Reads the app of a device, or of the file's list where no device is named.
  static func read(_ fields: Fields, onDevice name: String?, _ draft: ScenarioDraft) -> AppKey? {
    let subject = name.flatMap {
      draft.devices[ExactText($0)] == nil ? nil : FeedbackSpecification.Subject.device($0)
    }
    return read(fields, of: subject ?? .token([]), draft)
  }

  /// Reads the app where the file may leave it out: `.some(nil)` then, nil after reporting a problem.
  static func readIfGiven(_ fields: Fields, onDevice name: String?, _ draft: ScenarioDraft) -> AppKey?? {
    guard fields["app"] != nil else {
      if let environment = fields["environment"] {
        environment.report("\"environment\" requires \"app\"")
        return nil
      }
      return .some(nil)
    }
    return read(fields, onDevice: name, draft).map { .some($0) }
  }
}
