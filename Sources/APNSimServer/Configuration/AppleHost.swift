package import APNSimCore

/// A name under which providers reach Apple's service, and the ports that it has there.
///
/// `api.development.push.apple.com` is the older name of `api.sandbox.push.apple.com`. The names that manage channels share
/// ports 2195 and 2196 with the binary interface of former years.
package struct AppleHost: Hashable, Sendable {
  package let name: String
  package let environment: PushEnvironment
  package let ports: [Int]

  package static let all = [
    AppleHost(name: "api.push.apple.com", environment: .production, ports: requestPorts),
    AppleHost(name: "api.sandbox.push.apple.com", environment: .sandbox, ports: requestPorts),
    AppleHost(name: "api.development.push.apple.com", environment: .sandbox, ports: requestPorts),
    AppleHost(name: "api-manage-broadcast.push.apple.com", environment: .production, ports: [feedbackPort]),
    AppleHost(
      name: "api-manage-broadcast.sandbox.push.apple.com",
      environment: .sandbox,
      ports: [gatewayPort]
    ),
    AppleHost(name: "gateway.push.apple.com", environment: .production, ports: [gatewayPort]),
    AppleHost(name: "gateway.sandbox.push.apple.com", environment: .sandbox, ports: [gatewayPort]),
    AppleHost(name: "feedback.push.apple.com", environment: .production, ports: [feedbackPort]),
    AppleHost(name: "feedback.sandbox.push.apple.com", environment: .sandbox, ports: [feedbackPort]),
  ]

  /// The ports of requests over HTTP/2, the usual one first.
  package static let requestPorts = [443, 2197]
  package static let gatewayPort = 2195
  package static let feedbackPort = 2196
  /// Every port, in ascending order.
  package static let ports = Set(all.flatMap(\.ports)).sorted()

  /// The environment of a name, in any case, with or without the dot at the end of a full name; nil for one that is not
  /// Apple's.
  package static func environment(of name: some StringProtocol) -> PushEnvironment? {
    let asked = (name.hasSuffix(".") ? String(name.dropLast()) : String(name)).lowercased()
    return all.first { $0.name == asked }?.environment
  }
}
