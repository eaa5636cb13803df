import APNSimCore

/// `settings:`, the core's settings by their names, each checked where it stands.
enum SettingsSection: ScenarioSection {
  static let row = Noun.Row("settings", .mapping(noun), noun.meaning)
  private static let noun = Noun(
    "settings",
    "settings",
    "The settings of the simulated service, by the names of the flags of apnsim serve in camelCase.",
    rows: KnownSetting.core.map { Noun.Row($0.name, $0.kind, $0.help) },
    takesEmpty: false
  )

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    for entry in value.entries("settings as a mapping, such as { payload: lenient }") {
      if draft.serverSettings.contains(entry.name) {
        let name = SettingName(entry.name)
        entry.key.report(
          """
          "\(entry.name)" is a setting of the server, not of a scenario; \
          give it as \(name.flag), as \(name.variable), or in a --config file
          """
        )
      } else if let assignment = KnownSetting.read(entry, among: KnownSetting.core) {
        draft.scenario.settings.append(assignment)
      }
    }
  }
}
