import APNSimScenario
import ArgumentParser

extension NameSpecification {
  /// The flag of a setting: `badgeAbsent` is `--badge-absent`.
  static func setting(_ name: String) -> NameSpecification {
    .customLong(String(SettingName(name).flag.dropFirst(2)))
  }
}

extension ArgumentHelp {
  /// The words of the settings table: what it is about, what it may be, what it is by default.
  static func setting(_ name: String, note: String = "") -> ArgumentHelp {
    guard let setting = PlanSetting.named(name) else { return "" }
    let usual = setting.read(ServePlan()).map { " (default: \($0))" } ?? ""
    return ArgumentHelp("\(setting.help) [\(setting.values)\(note)]\(usual)", valueName: "value")
  }
}
