import APNSimCore
import APNSimScenario
import APNSimServer

/// A configuration file is refused in few words, or every assignment it makes fits and reads back.
enum ConfigurationProperty {
  private static let settings =
    KnownSetting.core
    + ServerSetting.all.map { setting in
      KnownSetting(name: setting.name, values: setting.values) { text in
        var scratch = ServerConfiguration()
        do throws(SettingFailure) {
          try setting.apply(text, to: &scratch)
          return nil
        } catch {
          return error.expected
        }
      }
    }

  static func violation(_ input: [UInt8]) -> String? {
    let text = String(decoding: input.prefix(16_384), as: UTF8.self)
    let assignments: [SettingAssignment]
    do throws(DocumentError) {
      assignments = try ConfigurationFile.parse(text, name: "fuzzed", settings: settings)
    } catch {
      return error.description.utf8.count <= 65_536 && !error.problems.isEmpty
        ? nil : "a refusal out of bounds"
    }
    var core = Configuration()
    var server = ServerConfiguration()
    for assignment in assignments {
      if let setting = Setting.named(assignment.name) {
        guard (try? setting.apply(assignment.text, to: &core)) != nil else {
          return "\(assignment.name) took \(assignment.text) once only"
        }
        let written = setting.text(in: core)
        guard (try? setting.apply(written, to: &core)) != nil, setting.text(in: core) == written else {
          return "\(assignment.name) does not read back \(written)"
        }
      } else if let setting = ServerSetting.named(assignment.name) {
        guard (try? setting.apply(assignment.text, to: &server)) != nil else {
          return "\(assignment.name) took \(assignment.text) once only"
        }
        let written = setting.text(in: server)
        // Lists of files are added to, and an unset file is written as nothing.
        if !written.isEmpty, (try? setting.apply(written, to: &server)) == nil {
          return "\(assignment.name) does not read back \(written)"
        }
      } else {
        return "an assignment to nothing: \(assignment.name)"
      }
    }
    _ = try? server.validate()
    return nil
  }
}
