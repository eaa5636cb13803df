import APNSimCore
import APNSimProvider

/// The environment variables by which a provider under test finds its simulator.
struct ProviderVariables {
  private let environment: [String: String]

  init(_ environment: [String: String]) { self.environment = environment }

  var host: String? { value("APNSIM_HOST") }
  /// The host by which a server with this setting is reached from where it runs; nil where the loopback reaches it.
  var serverHost: String? {
    host.flatMap { ["loopback", "localhost", "0.0.0.0", "::", "[::]"].contains($0) ? nil : $0 }
  }
  var sandbox: String? { value("APNSIM_SANDBOX") }
  var ca: String? { value("APNSIM_CA_FILE") }
  var certs: String? { value("APNSIM_CERTS") }
  var endpointsFile: String? { value("APNSIM_ENDPOINTS_FILE") }

  /// The provider certificate for an environment and its key: the one named, or the sandbox's beside it, as `exec` with
  /// both environments has them.
  func certificate(
    _ environment: PushEnvironment,
    _ exists: (String) -> Bool
  ) -> (file: String, key: String?)? {
    value("APNSIM_PROVIDER_CERT").map {
      EndpointsFile.certificate($0, value("APNSIM_PROVIDER_KEY"), environment, exists)
    }
  }

  /// The key of provider tokens, its identifier and its team.
  var providerKey: (file: String, id: String, team: String)? {
    guard let file = value("APNSIM_AUTH_KEY"), let id = value("APNSIM_KEY_ID"),
      let team = value("APNSIM_TEAM_ID")
    else { return nil }
    return (file, id, team)
  }

  /// - Throws: `CommandFailure` for what is no port.
  func devicePort() throws(CommandFailure) -> Int? { try port("APNSIM_DEVICE_PORT", or: "off") }

  /// - Throws: `CommandFailure` for what is no port.
  func controlPort() throws(CommandFailure) -> Int? { try port("APNSIM_CONTROL_PORT") }

  /// - Throws: `CommandFailure` for what is no port.
  func port(
    _ service: ProviderTarget.Service,
    _ environment: PushEnvironment
  ) throws(CommandFailure) -> Int? {
    let sandbox = environment == .sandbox ? "SANDBOX_" : ""
    let name =
      switch service {
      case .gateway: "GATEWAY"
      case .feedback: "FEEDBACK"
      case .http2: "HTTP2"
      }
    return try port("APNSIM_\(sandbox)\(name)_PORT", or: service == .http2 ? "off" : nil)
  }

  /// Nil where a server is told to take any free port, or none.
  private func port(_ variable: String, or none: String? = nil) throws(CommandFailure) -> Int? {
    guard let text = value(variable), text != none else { return nil }
    guard let port = Int(text), (0...65_535).contains(port) else {
      throw CommandFailure(
        .badConfiguration,
        "\(variable): expected a port from 1 to 65535, found \"\(text)\""
      )
    }
    return port > 0 ? port : nil
  }

  private func value(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
