package import APNSimCore

/// One pair of service and environment to listen for, before it has an address.
package struct ListenerPlan: Hashable, Sendable {
  package var listener: Listener
  package var environment: PushEnvironment
  /// The port; 0 for any free one.
  package var port: Int
  /// The name for people, such as `gateway` or `sandbox feedback`.
  package var name: String
  /// The name of the setting that chooses the port.
  package var setting: String
  /// The environment whose channels a client reaches that offers `h2`, where the port speaks HTTP/2 as well.
  package var channels: PushEnvironment?

  /// True where a name of Apple's that a client asks for decides its environment.
  package var followsName = false

  /// The plan of such a client's connection; nil where the port does not speak HTTP/2 as well.
  var requests: ListenerPlan? {
    channels.map {
      ListenerPlan(
        listener: .http2,
        environment: $0,
        port: port,
        name: "\(name) (h2)",
        setting: setting,
        followsName: followsName
      )
    }
  }
}

extension ServerConfiguration {
  /// The plans of all listeners of this configuration, in the order in which they are bound.
  package var plans: [ListenerPlan] {
    let first = listening.environment == .sandbox ? PushEnvironment.sandbox : .production
    var plans = [
      plan(.gateway, first, listening.gatewayPort, "gateway", "gatewayPort"),
      plan(.feedback, first, listening.feedbackPort, "feedback", "feedbackPort"),
    ]
    // Apple manages the sandbox's channels on 2195 and production's on 2196.
    let served = listening.environment
    if served != .production { plans[0].channels = .sandbox }
    if served != .sandbox { plans[1].channels = .production }
    if let port = listening.http2Port {
      plans.append(plan(.http2, first, port, "http2", "http2Port"))
      if listening.asApple, port == AppleHost.requestPorts[0] {
        plans.append(plan(.http2, first, AppleHost.requestPorts[1], "second http2", "http2Port"))
      }
    }
    if listening.environment == .both {
      plans += [
        plan(.gateway, .sandbox, listening.sandboxGatewayPort, "sandbox gateway", "sandboxGatewayPort"),
        plan(.feedback, .sandbox, listening.sandboxFeedbackPort, "sandbox feedback", "sandboxFeedbackPort"),
      ]
      if let port = listening.sandboxHTTP2Port {
        plans.append(plan(.http2, .sandbox, port, "sandbox http2", "sandboxHttp2Port"))
      }
    }
    if let port = listening.devicePort {
      plans.append(plan(.device, first, port, "device port", "devicePort"))
    }
    return plans
  }

  private func plan(
    _ listener: Listener,
    _ environment: PushEnvironment,
    _ port: Int,
    _ name: String,
    _ setting: String
  ) -> ListenerPlan {
    ListenerPlan(
      listener: listener,
      environment: environment,
      port: listening.ephemeral ? 0 : port,
      name: name,
      setting: setting,
      followsName: listening.asApple && listening.environment == .both && listener != .device
    )
  }
}
