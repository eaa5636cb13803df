import APNSimScenario
import ArgumentParser

extension NameSpecification {
  /// The flag of a setting: `badgeAbsent` is `--badge-absent`.
  static func setting(_ name: String) -> NameSpecification {
    .customLong(SettingWords.all[name]?.flag ?? SettingWords.flag(of: name))
  }
}

extension ArgumentHelp {
  /// The words of the settings table: what it is about, what it may be, what it is by default.
  static func setting(_ name: String, note: String = "") -> ArgumentHelp {
    guard let words = SettingWords.all[name] else { return "" }
    let help = words.help.prefix(1).uppercased() + words.help.dropFirst()
    return ArgumentHelp("\(help) [\(words.values)\(note)]\(words.usual)", valueName: "value")
  }
}

extension CompletionKind {
  /// The words that a setting may be.
  static func setting(_ name: String) -> CompletionKind {
    .list(SettingWords.all[name]?.values.split(separator: ", ").map { String($0) } ?? [])
  }
}

/// A setting's words on the command line, made once: the parser asks for all of them several times a run.
private struct SettingWords {
  /// `badge-absent`
  var flag: String
  var help: String
  var values: String
  var usual: String

  static let all = {
    let plan = ServePlan()
    let words = PlanSetting.all.map { setting in
      (
        setting.name,
        SettingWords(
          flag: flag(of: setting.name),
          help: setting.help,
          values: setting.values,
          usual: setting.read(plan).map { " (default: \($0))" } ?? ""
        )
      )
    }
    return Dictionary(words) { first, _ in first }
  }()

  static func flag(of name: String) -> String { String(SettingName(name).flag.dropFirst(2)) }
}
