import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimState
import APNSimWire
import Logging

/// Any setting of `serve` by its name: the core's, the server's and those of one run in one table.
struct PlanSetting: Sendable {
  let name: String
  /// The accepted values, for people.
  let values: String
  let help: String
  /// Its value in a plan; nil where there is no default to show.
  let read: @Sendable (ServePlan) -> String?
  /// Sets it; returns what was expected when the text does not fit.
  let write: @Sendable (String, inout ServePlan) -> String?

  /// Every setting, in the order that help lists them.
  static let all: [PlanSetting] = (core + server + run).map(\.withoutKeys)

  /// The setting, refusing a private key where it has no use for one: it would become a file's name, or an address.
  private var withoutKeys: PlanSetting {
    guard name != "authKey" else { return self }
    return PlanSetting(name: name, values: values, help: help, read: read) { [values, write] text, plan in
      KeyText.hasKey(text) ? values : write(text, &plan)
    }
  }

  static func named(_ name: String) -> PlanSetting? { all.first { $0.name == name } }

  private static let core = Setting.all.map { of($0, \.configuration) }

  /// A name that both tables have means the core's.
  private static let server = ServerSetting.all.filter { Setting.named($0.name) == nil }.map {
    of($0, \.server)
  }

  private static let run = [
    file("config", \.config, "read more settings, by name, from a YAML or JSON file"),
    file("scenario", \.scenario, "the file with apps, devices, feedback, clock and settings to start with"),
    PlanSetting(
      name: "seed",
      values: "a whole number",
      help: "the seed of all randomness; by default a new one for each run",
      read: { $0.run.seed.map { "\($0)" } },
      write: { text, plan in
        guard let seed = UInt64(text) else { return "a whole number from 0 to \(UInt64.max)" }
        plan.run.seed = seed
        return nil
      }
    ),
    PlanSetting(
      name: "clock",
      values: "real, virtual, virtual@TIME",
      help: "which clock drives expiry, storage and feedback; a virtual one stands still until moved",
      read: { _ in "real" },
      write: { text, plan in
        guard let clock = ClockSetting(text) else { return ClockSetting.expectedText }
        plan.run.clock = clock
        return nil
      }
    ),
    PlanSetting(
      name: "state",
      values: "a directory, or none",
      help: "keep devices, stored notifications, feedback, rules, clock and history here, over restarts and "
        + "kill -9",
      read: { $0.run.state ?? "none" },
      write: { text, plan in
        guard !text.isEmpty else { return "a directory, or none" }
        plan.run.state = text == "none" ? nil : text
        return nil
      }
    ),
    PlanSetting(
      name: "stateSync",
      values: StateSync.allCases.map(\.rawValue).joined(separator: ", "),
      help: "when what is kept is on the disk: interval, within a second; off, when the system writes it",
      read: { $0.run.stateSync.rawValue },
      write: { text, plan in
        guard let sync = StateSync(rawValue: text) else {
          return "interval or off (always, where every answer waits for the disk, is not there yet)"
        }
        plan.run.stateSync = sync
        return nil
      }
    ),
    PlanSetting(
      name: "stateLog",
      values: "a size from \(ByteSize.text(StateOptions.leastLogSize)), such as 64MiB or 1GiB",
      help: "take a snapshot after so much of the log, which bounds what a start has to go through",
      read: { ByteSize.text($0.run.stateLog) },
      write: { text, plan in
        guard let size = ByteSize.parse(text), StateOptions.leastLogSize...mostStateLog ~= size else {
          return "a size from \(ByteSize.text(StateOptions.leastLogSize)) to \(ByteSize.text(mostStateLog))"
        }
        plan.run.stateLog = size
        return nil
      }
    ),
    PlanSetting(
      name: "stateMismatch",
      values: StateMismatch.allCases.map(\.rawValue).joined(separator: ", "),
      help: "where the state began with other settings, scenario, seed or token key: refuse to start, or "
        + "begin anew",
      read: { $0.run.stateMismatch.rawValue },
      write: { text, plan in
        guard let mismatch = StateMismatch(rawValue: text) else { return "refuse or reset" }
        plan.run.stateMismatch = mismatch
        return nil
      }
    ),
    choice(
      "redact",
      \.redacts,
      (true: "on", false: "off"),
      "redact the recording: tokens become pseudonyms, payload text is replaced; verdicts stay the same"
    ),
    file("redactKey", \.redactKey, "64 random bytes that give several recordings the same pseudonyms"),
    choice(
      "print",
      \.printsJSON,
      (true: "json", false: "banner"),
      "what stdout starts with: json, the endpoints as one line of JSON"
    ),
    PlanSetting(
      name: "logLevel",
      values: Logger.Level.allCases.map(\.rawValue).joined(separator: ", "),
      help: "what is logged to stderr",
      read: { $0.run.logLevel.rawValue },
      write: { text, plan in
        guard let level = Logger.Level(rawValue: text) else {
          return Enumeration.of(values: Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))
        }
        plan.run.logLevel = level
        return nil
      }
    ),
  ]

  /// Far from overflowing, and more than a start can go through.
  private static let mostStateLog = 1 << 40

  private static func of<Root>(
    _ setting: ConfigurationSetting<Root>,
    _ root: any WritableKeyPath<ServePlan, Root> & Sendable
  ) -> PlanSetting {
    PlanSetting(
      name: setting.name,
      values: setting.values,
      help: setting.help,
      read: { setting.text(in: $0[keyPath: root]) },
      write: { text, plan in
        do throws(SettingFailure) {
          try setting.apply(text, to: &plan[keyPath: root])
          return nil
        } catch {
          return Enumeration.of(values: error.expected)
        }
      }
    )
  }

  private static func choice(
    _ name: String,
    _ path: any WritableKeyPath<RunSettings, Bool> & Sendable,
    _ words: (true: String, false: String),
    _ help: String
  ) -> PlanSetting {
    PlanSetting(
      name: name,
      values: "\(words.true), \(words.false)",
      help: help,
      read: { $0.run[keyPath: path] ? words.true : words.false },
      write: { text, plan in
        // A switch accepts its other spellings as well.
        let yes = [words.true] + (words.true == "on" ? ["true", "yes"] : [])
        let no = [words.false] + (words.false == "off" ? ["false", "no"] : [])
        guard yes.contains(text) || no.contains(text) else { return "\(words.true) or \(words.false)" }
        plan.run[keyPath: path] = yes.contains(text)
        return nil
      }
    )
  }

  private static func file(
    _ name: String,
    _ path: any WritableKeyPath<RunSettings, String?> & Sendable,
    _ help: String
  ) -> PlanSetting {
    PlanSetting(
      name: name,
      values: "a file",
      help: help,
      read: { $0.run[keyPath: path] },
      write: { text, plan in
        guard !text.isEmpty else { return "a file" }
        plan.run[keyPath: path] = text
        return nil
      }
    )
  }
}

extension KnownSetting {
  /// The settings that a file for `--config` may have: all but the file's own name.
  static let ofConfiguration = PlanSetting.all.filter { $0.name != "config" }.map { setting in
    KnownSetting(name: setting.name, values: setting.values) { text in
      var scratch = ServePlan()
      return setting.write(text, &scratch)
    }
  }
}
