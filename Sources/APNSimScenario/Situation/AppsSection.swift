import APNSimCore
import APNSimWire

/// `apps:`, the apps that exist from the start, by topic: `com.example.app: { environment: both }`.
enum AppsSection: ScenarioSection {
  static let row = Noun.Row(
    "apps",
    .names(form: .topic, ValueKind.mapping(noun).orNothing),
    "The apps that exist from the start, by topic. With this list, every app that is named has to be in it."
  )
  private static let noun = Noun(
    "app",
    "an app",
    "An app, by its topic: a bundle ID, maybe with the suffix of a push type.",
    rows: [
      Noun.Row(
        "environment",
        .choice(of: Environment.self),
        "The environments that the app is in: production."
      ),
      Noun.Row("team", .text, "The team whose provider tokens may push to the app."),
      Noun.Row("broadcast", .flag, "False for an App ID without the broadcast capability."),
      Noun.Row(
        "activities",
        .names(.mapping(ActivityTypesReader.noun)),
        "What the app's Live Activities decode, by attributes-type."
      ),
    ] + AppBundleReader.rows
  )

  enum Environment: String, CaseIterable {
    case production
    case sandbox
    case both

    init(_ environment: PushEnvironment) { self = environment == .sandbox ? .sandbox : .production }

    var environments: [PushEnvironment] {
      switch self {
      case .production: [.production]
      case .sandbox: [.sandbox]
      case .both: [.production, .sandbox]
      }
    }
  }

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    var listed: [ExactText: [PushEnvironment]] = [:]
    for entry in value.entries("apps as a mapping, such as { com.example.app: { environment: production } }")
    {
      guard let topic = entry.key.topic() else { continue }
      var environment = Environment(draft.environment)
      var bundle: AppBundle?
      if !entry.value.isNull {
        guard let fields = Fields(entry.value, of: noun) else { continue }
        bundle = AppBundleReader.read(fields)
        if let team = fields["team"]?.text("the app's team, such as ABCDE12345") {
          draft.scenario.teams[topic] = team
        }
        if let types = fields["activities"] {
          draft.scenario.activityTypes[topic] = ActivityTypesReader.read(types)
        }
        if fields["broadcast"]?.flag("broadcast") == false { draft.scenario.silentApps.append(topic) }
        if let named = fields["environment"] {
          guard let choice = named.choice("the app's environment", of: Environment.self) else { continue }
          environment = choice
        }
      }
      listed[ExactText(topic)] = environment.environments
      let apps = environment.environments.map { AppKey(topic: topic, environment: $0) }
      draft.scenario.apps += apps
      for app in apps { draft.scenario.bundles[app] = bundle }
    }
    draft.environments = listed
  }
}
