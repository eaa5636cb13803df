import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimTestSupport
import Logging
import Testing

@testable import apnsim

@Suite struct `Setting layers` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func plan(_ flags: [(String, String)] = [], _ environment: [String: String] = [:]) throws
    -> ServePlan
  {
    try SettingLayers(
      flags: flags.map { SettingAssignment(name: $0.0, text: $0.1) },
      environment: environment
    ).plan()
  }

  @Test func `flags win over the environment, it over the scenario, that over the file, that over defaults`()
    throws
  {
    let config = try folder.write(
      "c.yaml",
      "edition: final\npayload: lenient\ntokens: known\nbadgeAbsent: clear\n"
    )
    let scenario = try folder.write(
      "s.yaml",
      "settings: { payload: strict, tokens: issued, badgeAbsent: keep, storagePeriod: 1h }"
    )
    let plan = try plan(
      [("config", config), ("badgeAbsent", "clear")],
      ["APNSIM_SCENARIO": scenario, "APNSIM_TOKENS": "any", "APNSIM_BADGE_ABSENT": "keep"]
    )
    #expect(plan.configuration.edition == .final)
    #expect(plan.configuration.payload == .strict)
    #expect(plan.configuration.tokens == .any)
    #expect(plan.configuration.badgeAbsent == .clear)
    #expect(plan.configuration.storagePeriod == .hours(1))
    #expect(plan.configuration.feedbackKeep == false)
  }

  @Test func `a key for redaction is not idle, and redaction by flag has something to redact`() throws {
    func status(_ flags: [(String, String)], _ environment: [String: String] = [:]) throws -> apnsim
      .ExitStatus?
    {
      do {
        _ = try plan(flags, environment)
        return nil
      } catch let failure as CommandFailure {
        return failure.status
      }
    }
    let config = try folder.write("c.yaml", "redactKey: key")
    let record = ("record", "r.jsonl")
    #expect(try status([record, ("redactKey", "key")]) == .usage)
    #expect(try status([record, ("redactKey", "key"), ("redact", "off")]) == .usage)
    #expect(try status([record], ["APNSIM_REDACT_KEY": "key"]) == .badConfiguration)
    #expect(try status([record, ("config", config)]) == .badConfiguration)
    #expect(try status([("redact", "on"), ("noControl", "on")]) == .usage)
    #expect(try status([("redact", "on")]) == nil)
    #expect(try status([record, ("redact", "on"), ("redactKey", "key")]) == nil)
    #expect(try status([record, ("redactKey", "key")], ["APNSIM_REDACT": "on"]) == nil)
    #expect(try status([record, ("config", config), ("redact", "on")]) == nil)
    #expect(try status([], ["APNSIM_REDACT": "on"]) == nil)
  }

  @Test func `seed and clock follow the same order`() throws {
    let scenario = try folder.write("s.yaml", "seed: 7\nclock: virtual@2012-06-01")
    let config = try folder.write("c.yaml", "seed: 5\nclock: virtual@2010-01-01\n")
    let start = ClockSetting.virtual(start: Timestamp(seconds: 1_338_508_800))
    #expect(try plan([("config", config)]).run.seed == 5)
    let both = try plan([("config", config), ("scenario", scenario)])
    #expect(both.run.seed == 7)
    #expect(both.scenario.clock == start)
    #expect(try plan([("scenario", scenario), ("seed", "9"), ("clock", "real")]).scenario.clock == .real)
    #expect(try plan([("scenario", scenario)], ["APNSIM_SEED": "8"]).run.seed == 8)
    let real = try folder.write("r.yaml", "clock: real")
    #expect(try plan([("config", config), ("scenario", real)]).scenario.clock == .real)
    #expect(try plan().scenario.clock == nil)
  }

  @Test func `a configuration file may name the scenario and set the server`() throws {
    let scenario = try folder.write("s.yaml", "name: from the file")
    let config = try folder.write("c.yaml", "scenario: \(scenario)\ngatewayPort: 0\nlogLevel: debug\n")
    let plan = try plan([("config", config)])
    #expect(plan.scenario.name == "from the file")
    #expect(plan.server.listening.gatewayPort == 0)
    #expect(plan.run.logLevel == .debug)
  }

  @Test func `SSLKEYLOGFILE is honoured, and the flag wins over it`() throws {
    #expect(try plan([], ["SSLKEYLOGFILE": "/tmp/a"]).server.tls.keyLogFile == "/tmp/a")
    #expect(try plan([("keyLog", "/tmp/b")], ["SSLKEYLOGFILE": "/tmp/a"]).server.tls.keyLogFile == "/tmp/b")
    #expect(try plan().server.tls.keyLogFile == nil)
  }

  @Test func `a bad environment variable is named`() throws {
    let failure = #expect(throws: CommandFailure.self) { try plan([], ["APNSIM_PAYLOAD": "lax"]) }
    #expect(failure?.status == .badConfiguration)
    #expect(failure?.lines == ["apnsim: error: APNSIM_PAYLOAD: expected strict or lenient, found \"lax\""])
  }

  @Test func `settings that do not fit together are refused`() throws {
    let failure = #expect(throws: CommandFailure.self) { try plan([("tlsMin", "1.3"), ("tlsMax", "1.2")]) }
    #expect(failure?.status == .badConfiguration)
  }

  @Test func `a server setting in a scenario is pointed to where it belongs`() throws {
    let scenario = try folder.write("s.yaml", "settings: { gatewayPort: 1 }")
    let error = #expect(throws: DocumentError.self) { try plan([("scenario", scenario)]) }
    #expect(error?.description.contains("give it as --gateway-port, as APNSIM_GATEWAY_PORT") == true)
  }

  @Test func `a scenario's apps without an environment are in the first that is served, whoever says which`()
    throws
  {
    let scenario = ("scenario", try folder.write("s.yaml", "devices: { bob: { apps: [com.a] } }"))
    let config = ("config", try folder.write("c.yaml", "environment: sandbox"))
    func environment(_ flags: [(String, String)], _ variables: [String: String] = [:]) throws
      -> PushEnvironment?
    {
      try plan([scenario] + flags, variables).scenario.devices.first?.apps.first?.app.environment
    }
    #expect(try environment([]) == .production)
    #expect(try environment([("environment", "both")]) == .production)
    #expect(try environment([("environment", "sandbox")]) == .sandbox)
    #expect(try environment([], ["APNSIM_ENVIRONMENT": "sandbox"]) == .sandbox)
    #expect(try environment([config]) == .sandbox)
    #expect(try environment([config, ("environment", "production")]) == .production)
  }

  @Test func `a flag that another leaves without a meaning is remarked upon`() {
    func words(_ flags: [(String, String)]) -> [String] {
      let assignments = flags.map { SettingAssignment(name: $0.0, text: $0.1) }
      return SettingLayers(flags: assignments, environment: ["APNSIM_GATEWAY_PORT": "1"]).warnings
    }
    #expect(
      words([("ephemeral", "on"), ("gatewayPort", "2399"), ("devicePort", "off"), ("controlPort", "0")])
        == ["apnsim: warning: --gateway-port has no effect with --ephemeral"]
    )
    #expect(
      words([("noControl", "on"), ("controlToken", "x")])
        == ["apnsim: warning: --control-token has no effect with --no-control"]
    )
    let sandbox = [("sandboxGatewayPort", "2399"), ("sandboxFeedbackPort", "0")]
    #expect(
      words(sandbox + [("environment", "sandbox")]) == [
        "apnsim: warning: --sandbox-gateway-port has no effect with --environment sandbox",
        "apnsim: warning: --sandbox-feedback-port has no effect with --environment sandbox",
      ]
    )
    #expect(
      words([sandbox[0], ("environment", "production"), ("ephemeral", "on")])
        == ["apnsim: warning: --sandbox-gateway-port has no effect with --ephemeral"]
    )
    #expect(words(sandbox + [("environment", "both")]).isEmpty && words(sandbox).isEmpty)
    #expect(words([("gatewayPort", "2399"), ("controlToken", "x"), ("ephemeral", "off")]).isEmpty)
  }

  @Test func `what is on or off is true or false as well`() throws {
    for (text, redacts) in [("true", true), ("yes", true), ("off", false), ("no", false)] {
      var plan = ServePlan()
      #expect(PlanSetting.named("redact")?.write(text, &plan) == nil && plan.run.redacts == redacts)
    }
    var plan = ServePlan()
    #expect(PlanSetting.named("print")?.write("true", &plan) == "json or banner")
  }

  @Test func `a variable that is nearly a setting is remarked upon`() {
    let layers = SettingLayers(
      flags: [],
      environment: [
        "APNSIM_BADGE_ABSNT": "keep", "APNSIM_CA_FILE": "x", "APNSIM_BIN": "apnsim", "APNSIM_SANDBOX": "s1",
        "APNSIM_TOTALLY_DIFFERENT": "y",
      ]
    )
    #expect(
      layers.warnings == [
        "apnsim: warning: APNSIM_BADGE_ABSNT is not a setting; did you mean APNSIM_BADGE_ABSENT?"
      ]
    )
  }

  @Test func `a control token that is empty is remarked upon, and one that no header can have is refused`()
    throws
  {
    let layers = SettingLayers(flags: [], environment: ["APNSIM_CONTROL_TOKEN": ""])
    #expect(
      layers.warnings == ["apnsim: warning: APNSIM_CONTROL_TOKEN is empty: the control API asks for no token"]
    )
    for token in [" ", " ahead", "behind ", "line\r\n", "\u{7F}"] {
      let failure = #expect(throws: CommandFailure.self, "\(token)") {
        try SettingLayers(flags: [], environment: ["APNSIM_CONTROL_TOKEN": token]).plan()
      }
      #expect(failure?.status == .badConfiguration)
      #expect(failure?.message.hasPrefix("controlToken: expected no control character") == true)
    }
    for token in ["a-B_9==", "open sesame", "caf\u{E9}"] {
      let plan = try SettingLayers(flags: [], environment: ["APNSIM_CONTROL_TOKEN": token]).plan()
      #expect(plan.server.control.token == token)
    }
  }
}
