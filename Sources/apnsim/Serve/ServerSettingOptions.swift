import APNSimServer
import ArgumentParser

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
  @Option(name: .setting("clientCa"), help: .setting("clientCa"), completion: .file()) var clientCa:
    [String] = []
  @Option(name: .setting("crl"), help: .setting("crl"), completion: .file()) var crl: [String] = []
  @Option(name: .setting("certs"), help: .setting("certs"), completion: .directory) var certs: String?
  @Option(name: .setting("readDelay"), help: .setting("readDelay")) var readDelay: String?
  @Option(name: .setting("linger"), help: .setting("linger")) var linger: String?
  @Option(name: .setting("idleTimeout"), help: .setting("idleTimeout")) var idleTimeout: String?
  @Option(name: .setting("handshakeTimeout"), help: .setting("handshakeTimeout")) var handshakeTimeout:
    String?
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
      ("insecureControl", insecureControl), ("noControl", noControl), ("tlsMin", tlsMin), ("tlsMax", tlsMax),
      ("trust", trust), ("clientCa", clientCa.isEmpty ? nil : clientCa.joined(separator: ",")),
      ("crl", crl.isEmpty ? nil : crl.joined(separator: ",")), ("certs", certs), ("readDelay", readDelay),
      ("linger", linger), ("idleTimeout", idleTimeout), ("handshakeTimeout", handshakeTimeout),
      ("feedbackPause", feedbackPause), ("drain", drain),
      ("maxConnections", maxConnections),
      ("maxHandshakes", maxHandshakes), ("loops", loops), ("record", record),
      ("endpointsFile", endpointsFile),
      ("keyLog", keyLog),
    ]
  }
}
