import APNSimControl
import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimSystem
import APNSimTLS
import APNSimWire

/// The first lines that `serve` prints: addresses, certificates, and a command to try.
struct Banner {
  /// One pair of listeners.
  struct Pair {
    /// `127.0.0.1:2195`
    var gateway: String
    var feedback: String
    /// The name before the second pair: `sandbox`.
    var environment: String?
    /// The port of requests beside them.
    var http2: String?
  }

  var pairs: [Pair]
  /// The device listener: `127.0.0.1:5223`.
  var devices: String?
  /// The control API: `http://127.0.0.1:2199`.
  var control: String?
  /// The page for people: `http://127.0.0.1:2199/`.
  var page: String?
  var authority: String
  /// The provider's files, the ones people need first.
  var provider: [String]
  var topic: String
  var seed: UInt64
  /// Nil for the real clock.
  var clock: String?
  /// The name of the scenario, if there is one.
  var scenario: String?
  /// The state that outlives the process, and the part that was restored of it.
  var state: String?
  /// The flags with which `send --demo` finds the server; none for one in its usual place.
  var place: [String] = []

  func lines(_ style: Style) -> [String] {
    var lines = [
      style.paint("apnsim \(ProgramVersion.text)", .bold) + " · Apple Push Notification service simulator"
    ]
    for pair in pairs {
      let gateway = "binary, TLS   \(pair.gateway)"
      let padding = String(repeating: " ", count: max(1, 34 - gateway.count))
      lines.append(
        row(pair.environment ?? "gateway", "\(gateway)\(padding)feedback  binary, TLS  \(pair.feedback)")
      )
      if let http2 = pair.http2 {
        lines.append(row("http2", "HTTP/2, TLS   \(http2)\(pair.environment.map { "      \($0)" } ?? "")"))
      }
    }
    if let devices { lines.append(row("devices", "JSON, TLS     \(devices)")) }
    if let control { lines.append(row("control", "HTTP          \(control)")) }
    if let page { lines.append(row("page", "in a browser  \(page)")) }
    lines.append(
      row("CA", "\(authority)      provider  \(provider.joined(separator: "  "))   topic \(topic)")
    )
    var beginning = "\(seed)"
    if let clock { beginning += "      clock  \(clock)" }
    if let scenario { beginning += "      scenario  \(scenario)" }
    lines.append(row("seed", beginning))
    if let state { lines.append(row("state", state)) }
    let demo = (["apnsim send --demo"] + place.map(ShellWord.quoted)).joined(separator: " ")
    lines.append(row("try", "\(style.paint(demo, .cyan))          stop  Ctrl-C"))
    return lines
  }

  private func row(_ name: String, _ text: String) -> String {
    "  \(name)\(String(repeating: " ", count: max(1, 10 - name.count)))\(text)"
  }
}

extension Banner {
  /// The banner of a running server.
  init(_ endpoints: Endpoints, _ directory: PKIDirectory, _ plan: ServePlan, seed: UInt64) {
    func address(_ port: Int) -> String { HostPort(endpoints.host, port).description }
    pairs = [Pair(gateway: address(endpoints.gatewayPort), feedback: address(endpoints.feedbackPort))]
    pairs[0].http2 = endpoints.http2Port.map { address($0) }
    if let gateway = endpoints.sandboxGatewayPort, let feedback = endpoints.sandboxFeedbackPort {
      pairs.append(Pair(gateway: address(gateway), feedback: address(feedback), environment: "sandbox"))
      pairs[1].http2 = endpoints.sandboxHTTP2Port.map { address($0) }
    }
    devices = endpoints.devicePort.map { address($0) }
    control = endpoints.control
    page = endpoints.control.flatMap { plan.server.control.page == .off ? nil : "\($0)/" }
    authority = Self.shown(endpoints.authorityFile)
    provider = [endpoints.providerCertificateFile, endpoints.providerPKCS12File].map { Self.shown($0) }
    let identity = try? directory.identity(of: directory.provider)
    topic = identity.flatMap { PeerCertificate($0.certificate).topicNames.first } ?? PKIDirectory.defaultTopic
    self.seed = seed
    if case .virtual(let start) = plan.scenario.clock {
      clock = "virtual" + (start.map { ", \($0)" } ?? "")
    }
    scenario = plan.run.scenario.map { plan.scenario.name.isEmpty ? $0 : plan.scenario.name }
    place = Self.place(host: endpoints.host, port: endpoints.gatewayPort, plan.server)
  }

  /// The flags with which `send` finds a server that is not in its usual place.
  static func place(host: String, port: Int, _ server: ServerConfiguration) -> [String] {
    let environment = server.listening.environment.first
    var place: [String] = []
    if host != "127.0.0.1" { place += ["--host", host] }
    if environment == .sandbox { place += ["--environment", "sandbox"] }
    if port != EndpointsFile.usualPort(.gateway, environment) { place += ["--port", "\(port)"] }
    if server.files.certificates != "certs" { place += ["--certs", shown(server.files.certificates)] }
    guard !place.isEmpty, let file = server.files.endpoints else { return place }
    return ["--endpoints-file", shown(file)]
  }

  /// A file's path as typed in the current directory.
  static func shown(_ path: String) -> String {
    let here = (SystemFolder.current ?? ".") + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }
}
