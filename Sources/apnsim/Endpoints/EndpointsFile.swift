import APNSimCore
import APNSimProvider
import APNSimScenario

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The endpoints file of a running server, as far as its clients need it.
struct EndpointsFile: Decodable, Sendable {
  var host: String?
  var gateway: Int?
  var feedback: Int?
  var sandboxGateway: Int?
  var sandboxFeedback: Int?
  var http2: Int?
  var sandboxHttp2: Int?
  var device: Int?
  /// The base URL of the control API.
  var control: String?
  var ca: String?
  var providerCertificate: String?
  var providerKey: String?
  /// The key of provider tokens, its identifier and its team.
  var authKey: String?
  var keyId: String?
  var teamId: String?

  static func load(_ path: String) throws(CommandFailure) -> EndpointsFile {
    let bytes: [UInt8]
    do {
      bytes = try InputFile.bytes(path, limit: 1 << 20)
    } catch {
      var failure = CommandFailure(
        .badConfiguration,
        error.message,
        hints: ["the server writes it once it is ready (apnsim serve --endpoints-file FILE)"]
      )
      failure.isTooEarly = true
      throw failure
    }
    guard let endpoints = try? JSONDecoder().decode(EndpointsFile.self, from: Data(bytes)),
      endpoints.gateway != nil || endpoints.device != nil || endpoints.control != nil,
      endpoints.ports.allSatisfy({ (1...65_535).contains($0) })
    else {
      throw CommandFailure(.badConfiguration, "\(path): is not an apnsim endpoints file")
    }
    return endpoints
  }

  private var ports: [Int] {
    [gateway, feedback, sandboxGateway, sandboxFeedback, http2, sandboxHttp2, device].compactMap { $0 }
  }

  /// The provider certificate for an environment and its key: the one named, or the sandbox's beside it.
  func certificate(
    _ environment: PushEnvironment,
    _ exists: (String) -> Bool
  ) -> (file: String, key: String?)? {
    providerCertificate.map { Self.certificate($0, providerKey, environment, exists) }
  }

  /// The certificate for an environment where this one is named: itself, or the sandbox's beside it.
  static func certificate(
    _ file: String,
    _ key: String?,
    _ environment: PushEnvironment,
    _ exists: (String) -> Bool
  ) -> (file: String, key: String?) {
    let ending = "/provider.pem"
    if environment == .sandbox, file.hasSuffix(ending) {
      let sibling = file.dropLast(ending.count) + "/provider-sandbox"
      if exists(sibling + ".pem") { return (sibling + ".pem", sibling + ".key") }
    }
    return (file, key)
  }

  func port(_ service: ProviderTarget.Service, _ environment: PushEnvironment) -> Int? {
    switch (service, environment) {
    case (.gateway, .production): gateway
    case (.feedback, .production): feedback
    case (.gateway, .sandbox): sandboxGateway ?? gateway
    case (.feedback, .sandbox): sandboxFeedback ?? feedback
    case (.http2, .production): http2
    case (.http2, .sandbox): sandboxHttp2 ?? http2
    }
  }

  static func usualPort(_ service: ProviderTarget.Service, _ environment: PushEnvironment) -> Int {
    let listener: Listener =
      switch service {
      case .gateway: .gateway
      case .feedback: .feedback
      case .http2: .http2
      }
    return Int(listener.usualPort(in: environment))
  }
}
