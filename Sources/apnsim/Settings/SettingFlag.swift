import ArgumentParser

/// Settings that stand together in the help.
protocol SettingSection {
  /// In the order of the help.
  static var flags: [SettingFlag] { get }
}

/// A setting as it stands on the command line.
struct SettingFlag {
  let name: String
  let option: SettingOption

  /// `--host ADDRESS`
  static func value(_ name: String, completion: CompletionKind? = nil) -> SettingFlag {
    SettingFlag(
      name: name,
      option: .single(Option(name: .setting(name), help: .setting(name), completion: completion))
    )
  }

  /// `--trust any`, one of the words that its table has
  static func choice(_ name: String) -> SettingFlag { value(name, completion: .setting(name)) }

  /// `--ephemeral`, or `--ephemeral off`
  static func toggle(_ name: String) -> SettingFlag {
    let option = Option<String?>(
      name: .setting(name),
      defaultAsFlag: "on",
      parsing: .next,
      help: .setting(name),
      completion: .setting(name)
    )
    return SettingFlag(name: name, option: .single(option))
  }

  /// `--crl FILE --crl FILE`
  static func list(_ name: String, completion: CompletionKind? = nil, note: String = "") -> SettingFlag {
    let option = Option(
      wrappedValue: [String](),
      name: .setting(name),
      help: .setting(name, note: note),
      completion: completion
    )
    return SettingFlag(name: name, option: .repeated(option))
  }
}

/// The server's ports and the way in which it tells them: `serve` has these as flags, `exec` decides them.
enum PortFlags: SettingSection {
  static var flags: [SettingFlag] {
    [
      .value("gatewayPort"), .value("feedbackPort"), .value("sandboxGatewayPort"),
      .value("sandboxFeedbackPort"),
      .value("http2Port"), .value("sandboxHttp2Port"), .value("devicePort"), .value("controlPort"),
      .toggle("ephemeral"), .choice("print"),
    ]
  }
}

/// The server's settings but for its ports.
enum ServerFlags: SettingSection {
  static var flags: [SettingFlag] {
    [
      .toggle("asApple"), .value("host"), .choice("environment"), .value("controlToken"),
      .toggle("insecureControl"),
      .toggle("shareCredentials"), .choice("page"), .toggle("noControl"), .choice("tlsMin"),
      .choice("tlsMax"),
      .choice("trust"),
      .list("authKey", completion: .file(extensions: ["p8"]), note: mayBeRepeated),
      .value("keyId"), .choice("providerTokens"), .value("maxStreams"), .value("firstTokenStreams"),
      .list("clientCa", completion: .file()), .list("crl", completion: .file()),
      .list("serverName", note: mayBeRepeated), .value("certs", completion: .directory), .value("readDelay"),
      .value("linger"), .value("idleTimeout"), .value("handshakeTimeout"), .value("requestTimeout"),
      .value("endingPause"),
      .value("feedbackPause"), .value("drain"), .value("maxConnections"), .value("maxHandshakes"),
      .value("maxHeld"),
      .value("loops"), .value("record", completion: .file()), .value("endpointsFile", completion: .file()),
      .value("keyLog", completion: .file()),
    ]
  }
}

/// The core's settings.
enum CoreFlags: SettingSection {
  static var flags: [SettingFlag] {
    [
      .choice("edition"), .value("commands"), .choice("payload"), .choice("tokens"), .choice("tokenUpdates"),
      .choice("badgeAbsent"), .list("quirk", note: mayBeRepeated), .choice("storedPerApp"),
      .value("storagePeriod"), .value("idleClose"), .toggle("feedbackKeep"), .toggle("magicTokens"),
      .toggle("enforce"), .value("keep"), .value("deadTokens"),
    ]
  }
}

/// The settings of one run.
enum RunFlags: SettingSection {
  static var flags: [SettingFlag] {
    [
      .value("config", completion: .file(extensions: ["yaml", "json"])),
      .value("scenario", completion: .file(extensions: ["yaml", "json"])), .value("seed"), .value("clock"),
      .value("state", completion: .directory), .choice("stateSync"), .value("stateLog"),
      .choice("stateMismatch"), .toggle("redact"), .value("redactKey", completion: .file()),
      .choice("logLevel"),
    ]
  }
}

private let mayBeRepeated = "; may be repeated"
