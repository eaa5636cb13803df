import APNSimCore
import APNSimScenario
import ArgumentParser

/// What the setting flags of a command line say.
enum FlagAssignments {
  /// - Throws: a usage error that names the flag, what was expected and found, and the nearest value.
  static func read(_ values: [(name: String, text: String?)]) throws(ValidationError) -> [SettingAssignment] {
    var assignments: [SettingAssignment] = []
    var scratch = ServePlan()
    for (name, text) in values {
      guard let text, let setting = PlanSetting.named(name) else { continue }
      if let expected = setting.write(text, &scratch) {
        let names = setting.values.split(separator: ",").map { String($0.drop { $0 == " " }) }
        let meant = NearestName.find(text, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw ValidationError("\(SettingName(name).flag): expected \(expected), found \"\(text)\"\(meant)")
      }
      assignments.append(SettingAssignment(name: name, text: text))
    }
    return assignments
  }
}
