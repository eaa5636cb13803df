import ArgumentParser

/// The settings that say where a server listens and how it tells, as flags: `serve` has them, `exec` decides them.
struct PortSettingOptions: ParsableArguments {
  @Option(name: .setting("gatewayPort"), help: .setting("gatewayPort")) var gatewayPort: String?
  @Option(name: .setting("feedbackPort"), help: .setting("feedbackPort")) var feedbackPort: String?
  @Option(name: .setting("sandboxGatewayPort"), help: .setting("sandboxGatewayPort"))
  var sandboxGatewayPort: String?
  @Option(name: .setting("sandboxFeedbackPort"), help: .setting("sandboxFeedbackPort"))
  var sandboxFeedbackPort: String?
  @Option(name: .setting("devicePort"), help: .setting("devicePort")) var devicePort: String?
  @Option(name: .setting("controlPort"), help: .setting("controlPort")) var controlPort: String?
  @Option(
    name: .setting("ephemeral"),
    defaultAsFlag: "on",
    parsing: .next,
    help: .setting("ephemeral"),
    completion: .setting("ephemeral")
  )
  var ephemeral: String?
  @Option(name: .setting("print"), help: .setting("print"), completion: .setting("print")) var print: String?

  /// Each of them with what the command line says of it.
  var values: [(name: String, text: String?)] {
    [
      ("gatewayPort", gatewayPort), ("feedbackPort", feedbackPort),
      ("sandboxGatewayPort", sandboxGatewayPort),
      ("sandboxFeedbackPort", sandboxFeedbackPort), ("devicePort", devicePort), ("controlPort", controlPort),
      ("ephemeral", ephemeral), ("print", print),
    ]
  }
}
