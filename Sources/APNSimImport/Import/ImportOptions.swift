package import APNSimCore

/// The options of an import.
package struct ImportOptions: Sendable {
  /// The kind of the files; nil detects it by their content.
  package var kind: CaptureKind?
  /// The topic of connections whose certificate the capture does not show.
  package var topic: String?
  /// The environment of connections; nil goes by the port, else production.
  package var environment: PushEnvironment?
  /// The TLS key log, in the format of `SSLKEYLOGFILE`.
  package var keyLog: String?
  /// The gateway's and the feedback service's ports; all empty for the usual ones.
  package var gatewayPorts: [UInt16] = []
  package var feedbackPorts: [UInt16] = []
  /// The ports of the HTTP/2 provider API.
  package var requestPorts: [UInt16] = []
  /// The time at which streams without times begin; nil takes the file's modification time.
  package var start: Timestamp?
  /// The search path for programs.
  package var searchPath = ""
  package var limits = StreamLimits()

  package init() {}

  package static let defaultTopic = "com.example.app"

  var rules: PortRules {
    guard !gatewayPorts.isEmpty || !feedbackPorts.isEmpty || !requestPorts.isEmpty else { return .usual }
    return PortRules(
      gateway: gatewayPorts,
      feedback: feedbackPorts,
      requests: requestPorts,
      environment: environment ?? .production
    )
  }
}

extension ImportOptions {
  /// The identity of a provider of requests: that of its certificate, or none.
  func requester(of opening: StreamConnection) -> ProviderIdentity {
    var identity = opening.identity ?? ProviderIdentity(topics: [], environment: .production, subject: "")
    identity.environment = environment ?? opening.environment
    return identity
  }

  /// The identity of a provider of the binary interface: that of its certificate, or one with the topic asked for.
  func provider(of opening: StreamConnection) -> ProviderIdentity {
    let environment = self.environment ?? opening.environment
    if var identity = opening.identity, topic == nil, !identity.topics.isEmpty {
      identity.environment = environment
      return identity
    }
    return ProviderIdentity(
      topics: [topic ?? Self.defaultTopic],
      environment: environment,
      subject: opening.identity?.subject ?? ""
    )
  }
}
