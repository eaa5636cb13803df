import ArgumentParser

/// The settings of one run as flags.
struct RunSettingOptions: ParsableArguments {
  @Option(
    name: .setting("config"),
    help: .setting("config"),
    completion: .file(extensions: ["yaml", "json"])
  )
  var config: String?
  @Option(
    name: .setting("scenario"),
    help: .setting("scenario"),
    completion: .file(extensions: ["yaml", "json"])
  )
  var scenario: String?
  @Option(name: .setting("seed"), help: .setting("seed")) var seed: String?
  @Option(name: .setting("clock"), help: .setting("clock")) var clock: String?
  @Option(
    name: .setting("redact"),
    defaultAsFlag: "on",
    parsing: .next,
    help: .setting("redact"),
    completion: .setting("redact")
  )
  var redact: String?
  @Option(name: .setting("redactKey"), help: .setting("redactKey"), completion: .file()) var redactKey:
    String?
  @Option(name: .setting("logLevel"), help: .setting("logLevel"), completion: .setting("logLevel"))
  var logLevel: String?

  /// Each of them with what the command line says of it.
  var values: [(name: String, text: String?)] {
    [
      ("config", config), ("scenario", scenario), ("seed", seed), ("clock", clock), ("redact", redact),
      ("redactKey", redactKey), ("logLevel", logLevel),
    ]
  }
}
