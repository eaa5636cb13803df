import APNSimWire

/// A setting of the simulated service.
public typealias Setting = ConfigurationSetting<Configuration>

extension ConfigurationSetting where Root == Configuration {
  /// The setting of that name.
  public static func named(_ name: String) -> Setting? { all.first { $0.name == name } }

  /// The table of all settings, in the order help texts list them.
  public static let all: [Setting] = [
    choice("edition", \.edition, "which Apple document decides where they differ"),
    Setting(
      name: "commands",
      values: "0,1,2 (any of them)",
      help: "the commands the gateway understands",
      form: .numbers(0...2),
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
    choice(
      "payload",
      \.payload,
      "how payloads are judged: strict, by RFC 4627 and the guide's tables; lenient, by size only"
    ),
    choice("tokens", \.tokens, "which device tokens the gateway accepts"),
    choice(
      "tokenUpdates",
      \.tokenUpdates,
      "where changes of the provider token are counted, which are refused within 20 minutes"
    ).omittedAtDefault(),
    choice("badgeAbsent", \.badgeAbsent, "what a payload without badge does to a device's badge"),
    Setting(
      name: "quirk",
      values: Quirks.all.map(\.name).joined(separator: ", ") + " (comma-separated), none",
      help: "behaviours seen in the real service",
      form: .names(Quirks.all.map(\.name), empty: "none"),
      write: { text, configuration in
        let parts = text.split(separator: ",").map { $0.filter { $0 != " " } }
        var quirks: Quirks = []
        for part in parts where parts != ["none"] {
          guard let quirk = Quirks(name: part) else { return false }
          quirks.insert(quirk)
        }
        configuration.quirks = quirks
        return true
      },
      read: { $0.quirks.isEmpty ? "none" : $0.quirks.names.joined(separator: ",") }
    ),
    choice(
      "storedPerApp",
      \.storedPerApp,
      "what waits for an offline device: the last notification per app, or per collapse identifier"
    )
    .omittedAtDefault(),
    span(
      "storagePeriod",
      \.storagePeriod,
      "how long a notification waits for an offline device; 28d, the default, is 30d over HTTP/2"
    ),
    span(
      "idleClose",
      \.idleClose,
      "close a connection after this simulated time without a notification; 0 is never, Apple's was 2h"
    ),
    toggle("feedbackKeep", \.feedbackKeep, "keep the feedback list after it is read"),
    toggle("magicTokens", \.magicTokens, "tokens that start with APNSIM script themselves"),
    toggle(
      "enforce",
      \.enforce,
      "refuse connection churn (20 connections within a minute that last less than 10 s) until there is none for a "
        + "minute, instead of only advising against it"
    ),
    number(
      "keep",
      1000...10_000_000,
      \.limits.keep,
      "notifications kept in the history, as many other events, and a tenth as many closed connections"
    ),
    number(
      "deadTokens",
      0...4_000_000,
      \.limits.deadTokens,
      "replaced device tokens that are remembered as dead; beyond it the oldest is forgotten"
    )
    .omittedAtDefault(),
  ]
}
