import APNSimCore
import APNSimScenario
import APNSimServer
import ArgumentParser

/// The settings that say where a server listens and how it tells, as flags: `serve` has them, `exec` decides them.
struct PortSettingOptions: ParsableArguments {
  @Option(name: .setting("gatewayPort"), help: .setting("gatewayPort")) var gatewayPort: String?
  @Option(name: .setting("feedbackPort"), help: .setting("feedbackPort")) var feedbackPort: String?
  @Option(name: .setting("sandboxGatewayPort"), help: .setting("sandboxGatewayPort"))
  var sandboxGatewayPort: String?
  @Option(name: .setting("sandboxFeedbackPort"), help: .setting("sandboxFeedbackPort"))
  var sandboxFeedbackPort: String?
  @Option(name: .setting("http2Port"), help: .setting("http2Port")) var http2Port: String?
  @Option(name: .setting("sandboxHttp2Port"), help: .setting("sandboxHttp2Port"))
  var sandboxHttp2Port: String?
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
      ("sandboxFeedbackPort", sandboxFeedbackPort), ("http2Port", http2Port),
      ("sandboxHttp2Port", sandboxHttp2Port), ("devicePort", devicePort), ("controlPort", controlPort),
      ("ephemeral", ephemeral), ("print", print),
    ]
  }
}

/// The server's settings as flags but for its ports, with the words of their table.
struct ServerSettingOptions: ParsableArguments {
  @Option(name: .setting("host"), help: .setting("host")) var host: String?
  @Option(name: .setting("environment"), help: .setting("environment"), completion: .setting("environment"))
  var environment: String?
  @Option(name: .setting("controlToken"), help: .setting("controlToken")) var controlToken: String?
  @Option(
    name: .setting("insecureControl"),
    defaultAsFlag: "on",
    parsing: .next,
    help: .setting("insecureControl"),
    completion: .setting("insecureControl")
  )
  var insecureControl: String?
  @Option(
    name: .setting("shareCredentials"),
    defaultAsFlag: "on",
    parsing: .next,
    help: .setting("shareCredentials"),
    completion: .setting("shareCredentials")
  )
  var shareCredentials: String?
  @Option(name: .setting("page"), help: .setting("page"), completion: .setting("page")) var page: String?
  @Option(
    name: .setting("noControl"),
    defaultAsFlag: "on",
    parsing: .next,
    help: .setting("noControl"),
    completion: .setting("noControl")
  )
  var noControl: String?
  @Option(name: .setting("tlsMin"), help: .setting("tlsMin"), completion: .setting("tlsMin")) var tlsMin:
    String?
  @Option(name: .setting("tlsMax"), help: .setting("tlsMax"), completion: .setting("tlsMax")) var tlsMax:
    String?
  @Option(name: .setting("trust"), help: .setting("trust"), completion: .setting("trust")) var trust: String?
  @Option(
    name: .setting("authKey"),
    help: .setting("authKey", note: "; may be repeated"),
    completion: .file(extensions: ["p8"])
  )
  var authKey: [String] = []
  @Option(
    name: .setting("providerTokens"),
    help: .setting("providerTokens"),
    completion: .setting("providerTokens")
  )
  var providerTokens: String?
  @Option(name: .setting("maxStreams"), help: .setting("maxStreams")) var maxStreams: String?
  @Option(name: .setting("firstTokenStreams"), help: .setting("firstTokenStreams"))
  var firstTokenStreams: String?
  @Option(name: .setting("clientCa"), help: .setting("clientCa"), completion: .file()) var clientCa:
    [String] = []
  @Option(name: .setting("crl"), help: .setting("crl"), completion: .file()) var crl: [String] = []
  @Option(name: .setting("serverName"), help: .setting("serverName", note: "; may be repeated"))
  var serverName: [String] = []
  @Option(name: .setting("certs"), help: .setting("certs"), completion: .directory) var certs: String?
  @Option(name: .setting("readDelay"), help: .setting("readDelay")) var readDelay: String?
  @Option(name: .setting("linger"), help: .setting("linger")) var linger: String?
  @Option(name: .setting("idleTimeout"), help: .setting("idleTimeout")) var idleTimeout: String?
  @Option(name: .setting("handshakeTimeout"), help: .setting("handshakeTimeout")) var handshakeTimeout:
    String?
  @Option(name: .setting("endingPause"), help: .setting("endingPause")) var endingPause: String?
  @Option(name: .setting("feedbackPause"), help: .setting("feedbackPause")) var feedbackPause: String?
  @Option(name: .setting("drain"), help: .setting("drain")) var drain: String?
  @Option(name: .setting("maxConnections"), help: .setting("maxConnections")) var maxConnections: String?
  @Option(name: .setting("maxHandshakes"), help: .setting("maxHandshakes")) var maxHandshakes: String?
  @Option(name: .setting("loops"), help: .setting("loops")) var loops: String?
  @Option(name: .setting("record"), help: .setting("record"), completion: .file()) var record: String?
  @Option(name: .setting("endpointsFile"), help: .setting("endpointsFile"), completion: .file())
  var endpointsFile: String?
  @Option(name: .setting("keyLog"), help: .setting("keyLog"), completion: .file()) var keyLog: String?

  /// Each of them with what the command line says of it.
  var values: [(name: String, text: String?)] {
    [
      ("host", host), ("environment", environment), ("controlToken", controlToken),
      ("insecureControl", insecureControl), ("shareCredentials", shareCredentials), ("page", page),
      ("noControl", noControl),
      ("tlsMin", tlsMin), ("tlsMax", tlsMax),
      ("trust", trust), ("authKey", authKey.isEmpty ? nil : authKey.joined(separator: ",")),
      ("providerTokens", providerTokens), ("maxStreams", maxStreams),
      ("firstTokenStreams", firstTokenStreams),
      ("clientCa", clientCa.isEmpty ? nil : clientCa.joined(separator: ",")),
      ("crl", crl.isEmpty ? nil : crl.joined(separator: ",")),
      ("serverName", serverName.isEmpty ? nil : serverName.joined(separator: ",")),
      ("certs", certs), ("readDelay", readDelay),
      ("linger", linger), ("idleTimeout", idleTimeout), ("handshakeTimeout", handshakeTimeout),
      ("endingPause", endingPause), ("feedbackPause", feedbackPause), ("drain", drain),
      ("maxConnections", maxConnections),
      ("maxHandshakes", maxHandshakes), ("loops", loops), ("record", record),
      ("endpointsFile", endpointsFile),
      ("keyLog", keyLog),
    ]
  }
}

/// The core's settings as flags: one per row of its table, with the table's words.
struct CoreSettingOptions: ParsableArguments {
  @Option(name: .setting("edition"), help: .setting("edition"), completion: .setting("edition")) var edition:
    String?
  @Option(name: .setting("commands"), help: .setting("commands")) var commands: String?
  @Option(name: .setting("payload"), help: .setting("payload"), completion: .setting("payload")) var payload:
    String?
  @Option(name: .setting("tokens"), help: .setting("tokens"), completion: .setting("tokens")) var tokens:
    String?
  @Option(
    name: .setting("tokenUpdates"),
    help: .setting("tokenUpdates"),
    completion: .setting("tokenUpdates")
  )
  var tokenUpdates: String?
  @Option(name: .setting("badgeAbsent"), help: .setting("badgeAbsent"), completion: .setting("badgeAbsent"))
  var badgeAbsent: String?
  @Option(name: .setting("quirk"), help: .setting("quirk", note: "; may be repeated")) var quirk: [String] =
    []
  @Option(
    name: .setting("storedPerApp"),
    help: .setting("storedPerApp"),
    completion: .setting("storedPerApp")
  )
  var storedPerApp: String?
  @Option(name: .setting("storagePeriod"), help: .setting("storagePeriod")) var storagePeriod: String?
  @Option(name: .setting("idleClose"), help: .setting("idleClose"))
  var idleClose: String?
  @Option(
    name: .setting("feedbackKeep"),
    defaultAsFlag: "on",
    parsing: .next,
    help: .setting("feedbackKeep"),
    completion: .setting("feedbackKeep")
  )
  var feedbackKeep: String?
  @Option(
    name: .setting("magicTokens"),
    defaultAsFlag: "on",
    parsing: .next,
    help: .setting("magicTokens"),
    completion: .setting("magicTokens")
  )
  var magicTokens: String?
  @Option(
    name: .setting("enforce"),
    defaultAsFlag: "on",
    parsing: .next,
    help: .setting("enforce"),
    completion: .setting("enforce")
  )
  var enforce: String?
  @Option(name: .setting("keep"), help: .setting("keep")) var keep: String?

  /// Every setting of the table with what the command line says of it.
  var values: [(name: String, text: String?)] {
    [
      ("edition", edition), ("commands", commands), ("payload", payload), ("tokens", tokens),
      ("tokenUpdates", tokenUpdates), ("badgeAbsent", badgeAbsent),
      ("quirk", quirk.isEmpty ? nil : quirk.joined(separator: ",")),
      ("storedPerApp", storedPerApp), ("storagePeriod", storagePeriod), ("idleClose", idleClose),
      ("feedbackKeep", feedbackKeep),
      ("magicTokens", magicTokens),
      ("enforce", enforce), ("keep", keep),
    ]
  }
}

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
  @Option(name: .setting("state"), help: .setting("state"), completion: .directory) var state: String?
  @Option(name: .setting("stateSync"), help: .setting("stateSync"), completion: .setting("stateSync"))
  var stateSync: String?
  @Option(name: .setting("stateLog"), help: .setting("stateLog")) var stateLog: String?
  @Option(
    name: .setting("stateMismatch"),
    help: .setting("stateMismatch"),
    completion: .setting("stateMismatch")
  )
  var stateMismatch: String?
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
      ("config", config), ("scenario", scenario), ("seed", seed), ("clock", clock), ("state", state),
      ("stateSync", stateSync), ("stateLog", stateLog), ("stateMismatch", stateMismatch),
      ("redact", redact), ("redactKey", redactKey), ("logLevel", logLevel),
    ]
  }
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
        let names = setting.values.split(separator: ",").map { String($0.drop { $0 == " " }) }
        let meant = NearestName.find(text, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw ValidationError("\(SettingName(name).flag): expected \(expected), found \"\(text)\"\(meant)")
      }
      assignments.append(SettingAssignment(name: name, text: text))
    }
    return assignments
  }
}
