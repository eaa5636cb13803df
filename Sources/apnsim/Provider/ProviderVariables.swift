import APNSimCore

/// The environment variables by which a provider under test finds its simulator.
struct ProviderVariables {
  private let environment: [String: String]

  init(_ environment: [String: String]) { self.environment = environment }

  var host: String? { value("APNSIM_HOST") }
  var ca: String? { value("APNSIM_CA_FILE") }
  var certificate: String? { value("APNSIM_PROVIDER_CERT") }
  var key: String? { value("APNSIM_PROVIDER_KEY") }
  var certs: String? { value("APNSIM_CERTS") }
  var endpointsFile: String? { value("APNSIM_ENDPOINTS_FILE") }

  var devicePort: Int? { value("APNSIM_DEVICE_PORT").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }

  func port(_ service: ProviderTarget.Service, _ environment: PushEnvironment) -> Int? {
    let sandbox = environment == .sandbox ? "SANDBOX_" : ""
    let name = service == .gateway ? "GATEWAY" : "FEEDBACK"
    return value("APNSIM_\(sandbox)\(name)_PORT").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  private func value(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
