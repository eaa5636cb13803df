import APNSimCore
import APNSimScenario
import APNSimWire
import ArgumentParser

/// The settings of a section as options of the command line, with the words of their tables.
///
/// The parser asks for the options of a type by its mirror, and then decodes each under its name. Both are made from the
/// section's list here, so that no setting is spelled again as a property.
struct SettingOptions<Section: SettingSection>: ParsableArguments, CustomReflectable {
  private let options: [(name: String, option: SettingOption)]

  init() {
    options = Section.flags.map { ($0.name, $0.option) }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SettingKey.self)
    options = try Section.flags.map { flag in
      let key = SettingKey(stringValue: flag.name)
      return switch flag.option {
      case .single: (flag.name, .single(try container.decode(Option<String?>.self, forKey: key)))
      case .repeated: (flag.name, .repeated(try container.decode(Option<[String]>.self, forKey: key)))
      }
    }
  }

  /// The options under the names that properties with a wrapper have.
  var customMirror: Mirror {
    Mirror(self, children: options.map { (label: "_" + $0.name, value: $0.option.wrapper) })
  }

  /// Each setting of the section with what the command line says of it.
  var values: [(name: String, text: String?)] { options.map { ($0.name, $0.option.text) } }
}

/// An option that stands once, or one that may be repeated.
enum SettingOption {
  case single(Option<String?>)
  case repeated(Option<[String]>)

  var wrapper: Any {
    switch self {
    case .single(let option): option
    case .repeated(let option): option
    }
  }

  /// The text of the command line; repeated ones with commas between.
  var text: String? {
    switch self {
    case .single(let option): option.wrappedValue
    case .repeated(let option):
      option.wrappedValue.isEmpty ? nil : option.wrappedValue.joined(separator: ",")
    }
  }
}

private struct SettingKey: CodingKey {
  let stringValue: String
  let intValue: Int? = nil

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}

/// Reads the setting flags of a command line.
enum FlagAssignments {
  /// - Throws: a usage error that names the flag, what was expected and found, and the nearest value.
  static func read(_ values: [(name: String, text: String?)]) throws(ValidationError) -> [SettingAssignment] {
    var assignments: [SettingAssignment] = []
    var scratch = ServePlan()
    for (name, text) in values {
      guard let text, let setting = PlanSetting.named(name) else { continue }
      if let expected = setting.write(text, &scratch) {
        if KeyText.hasKey(text) {
          throw ValidationError("\(SettingName(name).flag): expected \(expected), found \(KeyText.words)")
        }
        let names = setting.values.split(separator: ",").map { String($0.drop { $0 == " " }) }
        let meant = NearestName.find(text, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw ValidationError("\(SettingName(name).flag): expected \(expected), found \"\(text)\"\(meant)")
      }
      assignments.append(SettingAssignment(name: name, text: text))
    }
    return assignments
  }
}
