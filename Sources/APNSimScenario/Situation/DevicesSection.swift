import APNSimCore
import APNSimWire

/// `devices:`, by name: `bob: { token: "bb…", apps: [com.example.app], online: false }`.
enum DevicesSection: ScenarioSection {
  static let row = Noun.Row("devices", entries(least: 0), "The devices that exist from the start, by name.")
  static let noun = Noun(
    "device",
    "a device",
    "A device with its apps, and the token that stands for each.",
    rows: [
      Noun.Row("token", .form(.deviceToken), "The token of all its apps: in hex digits, or issued."),
      Noun.Row(
        "apps",
        .list(.either([.topic, .mapping(DeviceApp.noun)]), counts: 0...Limits().deviceApps),
        "The apps that are on the device, by topic."
      ),
      Noun.Row("online", .flag, "False for a device that is offline from the start."),
      Noun.Row("installed", .flag, "False where its apps are gone, so that it refuses what comes."),
      Noun.Row("languages", .list(.text), "The languages that its user reads, best first."),
    ],
    terms: [
      .with("token", "apps"),
      .never([.given("token"), .value("apps", .list(.json, counts: 0...0))]),
    ]
  )

  /// Devices by name, at least so many.
  static func entries(least: Int) -> ValueKind {
    .names(form: .deviceName, ValueKind.mapping(noun).orNothing, least: least)
  }

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    for entry in value.entries("devices as a mapping, such as { alice: { apps: [com.example.app] } }") {
      guard let device = device(entry, &draft) else { continue }
      draft.devices[ExactText(entry.name)] = device
      draft.scenario.devices.append(device)
    }
  }

  /// Reads one entry; nil after reporting a problem.
  static func device(_ entry: Entry, _ draft: inout ScenarioDraft) -> DeviceSpecification? {
    guard entry.key.accepts((1...255).contains(entry.name.utf8.count)) else {
      entry.key.mismatch("a device name of 1 to 255 bytes")
      return nil
    }
    var device = DeviceSpecification(name: entry.name)
    if entry.value.isNull { return device }
    guard let fields = Fields(entry.value, of: noun) else { return nil }
    if let languages = fields["languages"] {
      device.languages = Self.languages(languages)
    }
    device.isOnline = fields["online"].flatMap { $0.flag("online") } ?? true
    device.apps = apps(fields, of: device.name, &draft)
    return device
  }

  /// Reads what is to change of a device: what is said; the rest stays as it is.
  static func change(_ fields: Fields, of device: String, _ draft: inout ScenarioDraft) -> DeviceChange {
    var change = DeviceChange(device: device)
    change.isOnline = fields["online"].flatMap { $0.flag("online") }
    change.languages = fields["languages"].map { languages($0) }
    if fields["apps"] != nil {
      change.apps = .exactly(apps(fields, of: device, &draft))
      return change
    }
    let state = DeviceChange.AppState(
      token: fields["token"].flatMap { $0.deviceToken() },
      isInstalled: fields["installed"].flatMap { $0.flag("installed") }
    )
    if state != DeviceChange.AppState() { change.apps = .every(state) }
    return change
  }

  /// Reads the apps of a device, which have its token and are installed as it says where they say nothing themselves.
  private static func apps(
    _ fields: Fields,
    of device: String,
    _ draft: inout ScenarioDraft
  ) -> [AppSpecification] {
    var defaults = AppDefaults(device: device)
    defaults.isInstalled = fields["installed"].flatMap { $0.flag("installed") } ?? true
    if let token = fields["token"] { defaults.token = token.deviceToken() }
    let items = fields["apps"].flatMap { $0.list("a list of apps, such as [com.example.app]") }
    var apps: [AppSpecification] = []
    var seen: Set<AppKey> = []
    for item in items ?? [] {
      for app in DeviceApp.read(item, defaults, &draft) {
        guard item.accepts(seen.insert(app.app).inserted) else {
          item.report("the app \(app.app) is on this device twice")
          continue
        }
        apps.append(app)
      }
    }
    let (count, limit) = (apps.count, Limits().deviceApps)
    if !fields.value.accepts(count <= limit) {
      fields["apps"]?.report("expected at most \(limit) apps on a device, found \(count)")
    }
    if let token = fields["token"], items?.isEmpty ?? (fields["apps"] == nil) {
      token.report("the token belongs to no app: list its app in \"apps\"")
    }
    return apps
  }

  static func languages(_ value: Value) -> [String] {
    AppBundleReader.names(value, "a list of languages, such as [fr, en]")
  }
}

/// The defaults that a device gives to all its apps.
struct AppDefaults {
  let device: String
  var token: TokenSource?
  var isInstalled = true

  init(device: String) { self.device = device }
}
