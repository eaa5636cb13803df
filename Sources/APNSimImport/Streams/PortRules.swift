package import APNSimCore

/// The ports by which the service's side of a connection is recognized.
package struct PortRules: Hashable, Sendable {
  /// The service on a port.
  package struct Service: Hashable, Sendable {
    package var listener: Listener
    package var environment: PushEnvironment

    package init(_ listener: Listener, _ environment: PushEnvironment) {
      self.listener = listener
      self.environment = environment
    }
  }

  /// The known ports. With explicit ones no others are imported; with the usual ones also those whose traffic is
  /// recognized.
  private let services: [UInt16: Service]
  package let isExplicit: Bool

  /// Apple's ports; the sandbox's are those of this simulator.
  package static let usual: PortRules = {
    var services: [UInt16: Service] = [:]
    for listener in [Listener.gateway, .feedback, .http2] {
      for environment in PushEnvironment.allCases {
        services[listener.usualPort(in: environment)] = Service(listener, environment)
      }
    }
    return PortRules(services: services, isExplicit: false)
  }()

  /// The named ports and no others.
  package init(
    gateway: [UInt16],
    feedback: [UInt16],
    requests: [UInt16] = [],
    environment: PushEnvironment
  ) {
    var services: [UInt16: Service] = [:]
    for port in gateway { services[port] = Service(.gateway, environment) }
    for port in feedback { services[port] = Service(.feedback, environment) }
    for port in requests { services[port] = Service(.http2, environment) }
    self.init(services: services, isExplicit: true)
  }

  private init(services: [UInt16: Service], isExplicit: Bool) {
    self.services = services
    self.isExplicit = isExplicit
  }

  package func service(of port: UInt16) -> Service? { services[port] }
}
