package import APNSimCore

/// How the side of a connection that is the service is told: by its port.
package struct PortRules: Hashable, Sendable {
  /// What listens on a port.
  package struct Service: Hashable, Sendable {
    package var listener: Listener
    package var environment: PushEnvironment

    package init(_ listener: Listener, _ environment: PushEnvironment) {
      self.listener = listener
      self.environment = environment
    }
  }

  /// The ports that are known, and nothing else is looked at; nil for the usual ones, and other ports where the
  /// traffic itself tells.
  private let services: [UInt16: Service]
  package let isExplicit: Bool

  /// Apple's ports; the sandbox's are those of this simulator.
  package static let usual: PortRules = {
    var services: [UInt16: Service] = [:]
    for listener in [Listener.gateway, .feedback] {
      for environment in PushEnvironment.allCases {
        services[listener.usualPort(in: environment)] = Service(listener, environment)
      }
    }
    return PortRules(services: services, isExplicit: false)
  }()

  /// The named ports and no others.
  package init(gateway: [UInt16], feedback: [UInt16], environment: PushEnvironment) {
    var services: [UInt16: Service] = [:]
    for port in gateway { services[port] = Service(.gateway, environment) }
    for port in feedback { services[port] = Service(.feedback, environment) }
    self.init(services: services, isExplicit: true)
  }

  private init(services: [UInt16: Service], isExplicit: Bool) {
    self.services = services
    self.isExplicit = isExplicit
  }

  package func service(of port: UInt16) -> Service? { services[port] }
}
