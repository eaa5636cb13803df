import APNSimCore
import APNSimProvider
import APNSimScenario
import APNSimSystem
import APNSimTLS

extension ProviderTarget {
  /// The service of a provider.
  enum Service: Sendable {
    case gateway
    case feedback
    /// The HTTP/2 provider API.
    case http2
  }

  /// Resolves every value, in the order of `EndpointOptions`.
  /// - Throws: `CommandFailure` for an endpoints file that cannot be read, or when there is no certificate.
  static func resolve(
    _ options: EndpointOptions,
    service: Service,
    environment: [String: String],
    exists: (String) -> Bool = { SystemPath.exists($0) }
  ) throws -> ProviderTarget {
    let endpoints = try options.endpointsFile.map { try EndpointsFile.load($0) }
    let variables = ProviderVariables(environment)
    let own = options.credentials
    let certs = own.server.certs
    let fallback = try endpoints ?? variables.endpointsFile.map { try EndpointsFile.load($0) }
    let directory = certs ?? variables.certs ?? "certs"

    let port =
      try options.port.map { Int($0) } ?? endpoints?.port(service, options.environment)
      ?? variables.port(service, options.environment) ?? fallback?.port(service, options.environment)
      ?? EndpointsFile.usualPort(service, options.environment)
    let host = options.host ?? endpoints?.host ?? variables.host ?? fallback?.host ?? "127.0.0.1"

    let certificate: String
    var key: String?
    // Over HTTP/2, a provider has a token unless it is told to show a certificate.
    let showsCertificate = service != .http2 || own.cert != nil || own.key != nil
    if let cert = own.cert {
      (certificate, key) = (cert, own.key)
    } else if certs == nil, let endpoints,
      let found = endpoints.certificate(options.environment, exists)
    {
      (certificate, key) = (found.file, own.key ?? found.key)
    } else if certs == nil,
      let found = variables.certificate(options.environment, exists)
        ?? fallback?.certificate(options.environment, exists)
    {
      (certificate, key) = (found.file, own.key ?? found.key)
    } else {
      let name = options.environment == .sandbox ? "provider-sandbox" : "provider"
      (certificate, key) = ("\(directory)/\(name).pem", own.key ?? "\(directory)/\(name).key")
      guard exists(certificate) || !showsCertificate else {
        try CommandFailure.checkMayRead(certificate)
        throw CommandFailure(
          .badConfiguration,
          "there is no provider certificate \(certificate)",
          hints: ["\"apnsim serve\" makes one where it runs; --certs DIR or --cert FILE says where it is"]
        )
      }
    }

    var target = ProviderTarget(
      host: ["0.0.0.0", "::", "loopback"].contains(host) ? "127.0.0.1" : host,
      port: port,
      certificateFile: certificate,
      keyFile: key,
      password: own.password ?? "apnsim",
      trust: try trust(own.server, endpoints ?? fallback, variables, "\(directory)/ca.pem", exists)
    )
    target.showsCertificate = showsCertificate
    return target
  }

  private static func trust(
    _ options: ServerTrustOptions,
    _ endpoints: EndpointsFile?,
    _ variables: ProviderVariables,
    _ usual: String,
    _ exists: (String) -> Bool
  ) throws(CommandFailure) -> TLSClientOptions.ServerTrust {
    if options.insecure { return .anyServer }
    if let file = options.ca { return .authority(caFiles: [file]) }
    if options.certs == nil, let file = endpoints?.ca ?? variables.ca { return .authority(caFiles: [file]) }
    guard !exists(usual) else { return .authority(caFiles: [usual]) }
    try CommandFailure.checkMayRead(usual)
    return .system
  }
}
