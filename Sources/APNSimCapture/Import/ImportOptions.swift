package import APNSimCore

/// What an import is told besides its files.
package struct ImportOptions: Sendable {
  /// What the files are; nil tells by their content.
  package var kind: CaptureKind?
  /// The topic of connections whose certificate the capture does not show.
  package var topic: String?
  /// The environment of connections; nil goes by the port, else production.
  package var environment: PushEnvironment?
  /// The TLS key log, in the format of `SSLKEYLOGFILE`.
  package var keyLog: String?
  /// The gateway's and the feedback service's ports; both empty for the usual ones.
  package var gatewayPorts: [UInt16] = []
  package var feedbackPorts: [UInt16] = []
  /// When streams without times begin; nil takes the file's modification time.
  package var start: Timestamp?
  /// Where programs are looked for.
  package var searchPath = ""
  package var limits = StreamLimits()

  package init() {}

  package static let defaultTopic = "com.example.app"

  var rules: PortRules {
    guard !gatewayPorts.isEmpty || !feedbackPorts.isEmpty else { return .usual }
    return PortRules(gateway: gatewayPorts, feedback: feedbackPorts, environment: environment ?? .production)
  }
}
