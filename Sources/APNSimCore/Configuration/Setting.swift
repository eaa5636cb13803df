internal import APNSimWire

/// One setting by its name: how flags, `APNSIM_*`, `--config`, a scenario's `settings` and the API all set it.
///
/// The table `Setting.all` is the only list of names, allowed values and help texts, so that a setting means the
/// same wherever it is written.
public struct Setting: Sendable {
  /// As in a YAML key and, in kebab case, in the flag: `badgeAbsent`, `--badge-absent`.
  public let name: String
  /// What may stand there, for people: `guide, final`.
  public let values: String
  public let help: String
  private let write: @Sendable (String, inout Configuration) -> Bool
  private let read: @Sendable (Configuration) -> String

  /// Why a value did not fit.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    public let setting: String
    public let expected: String
    public let found: String
    public var description: String { "\(setting): expected \(expected), found \"\(found)\"" }
  }

  /// Sets it from text.
  /// - Throws: `Failure` that names what was expected and found.
  public func apply(_ text: String, to configuration: inout Configuration) throws(Failure) {
    guard write(text, &configuration) else {
      throw Failure(setting: name, expected: values, found: text)
    }
  }

  /// Its present value, in the form `apply` takes.
  public func text(in configuration: Configuration) -> String { read(configuration) }

  /// The setting of that name.
  public static func named(_ name: String) -> Setting? { all.first { $0.name == name } }

  public static let all: [Setting] = [
    choice("edition", \.edition, "which of Apple's texts decides where they differ"),
    Setting(
      name: "commands",
      values: "0,1,2 (any of them)",
      help: "the commands the gateway understands",
      write: { text, configuration in
        var commands: CommandSet = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
          switch part.filter({ $0 != " " }) {
          case "0": commands.insert(.simple)
          case "1": commands.insert(.enhanced)
          case "2": commands.insert(.framed)
          default: return false
          }
        }
        guard !commands.isEmpty else { return false }
        configuration.commands = commands
        return true
      },
      read: { configuration in
        [(CommandSet.simple, "0"), (.enhanced, "1"), (.framed, "2")]
          .filter { configuration.commands.contains($0.0) }.map(\.1).joined(separator: ",")
      }
    ),
    choice("payload", \.payload, "strict: RFC 4627 and the guide's tables; lenient: only the size counts"),
    choice("tokens", \.tokens, "which device tokens the gateway knows"),
    choice("badgeAbsent", \.badgeAbsent, "what a payload without badge does to a device's badge"),
    Setting(
      name: "quirk",
      values: Quirks.all.map(\.name).joined(separator: ", ") + " (comma separated), none",
      help: "behaviours the real service was seen to show",
      write: { text, configuration in
        var quirks: Quirks = []
        for part in text.split(separator: ",") where part != "none" {
          guard let quirk = Quirks(name: part.filter { $0 != " " }) else { return false }
          quirks.insert(quirk)
        }
        configuration.quirks = quirks
        return true
      },
      read: { $0.quirks.isEmpty ? "none" : $0.quirks.names.joined(separator: ",") }
    ),
    span("storagePeriod", \.storagePeriod, "how long a notification waits for an offline device"),
    span(
      "idleClose",
      \.idleClose,
      "close a connection after so long without a byte, in simulated time; 0 is never, Apple's was 2h"
    ),
    flag("feedbackKeep", \.feedbackKeep, "the feedback list survives being read"),
    flag("magicTokens", \.magicTokens, "tokens that start with APNSIM script themselves"),
    flag("enforce", \.enforce, "connection churn is refused, not only advised against"),
    Setting(
      name: "keep",
      values: "a number from 1000 to 10000000",
      help: "notifications kept in the history",
      write: { text, configuration in
        guard let count = Int(text), (1000...10_000_000).contains(count) else { return false }
        configuration.limits.history = count
        return true
      },
      read: { "\($0.limits.history)" }
    ),
  ]

  private static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
    _ name: String,
    _ path: any WritableKeyPath<Configuration, Value> & Sendable,
    _ help: String
  ) -> Setting where Value.RawValue == String {
    Setting(
      name: name,
      values: Value.allCases.map(\.rawValue).joined(separator: ", "),
      help: help,
      write: { text, configuration in
        guard let value = Value(rawValue: text) else { return false }
        configuration[keyPath: path] = value
        return true
      },
      read: { $0[keyPath: path].rawValue }
    )
  }

  private static func flag(
    _ name: String,
    _ path: any WritableKeyPath<Configuration, Bool> & Sendable,
    _ help: String
  ) -> Setting {
    Setting(
      name: name,
      values: "on, off",
      help: help,
      write: { text, configuration in
        switch text {
        case "on", "true", "yes": configuration[keyPath: path] = true
        case "off", "false", "no": configuration[keyPath: path] = false
        default: return false
        }
        return true
      },
      read: { $0[keyPath: path] ? "on" : "off" }
    )
  }

  private static func span(
    _ name: String,
    _ path: any WritableKeyPath<Configuration, TimeSpan> & Sendable,
    _ help: String
  ) -> Setting {
    Setting(
      name: name,
      values: "a time such as 300ms, 5s, 10m, 2h, 28d",
      help: help,
      write: { text, configuration in
        guard let value = TimeSpan(text) else { return false }
        configuration[keyPath: path] = value
        return true
      },
      read: { $0[keyPath: path].description }
    )
  }
}
