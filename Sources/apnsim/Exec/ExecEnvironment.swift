import APNSimServer

/// The environment of a command under `exec`: every variable that tells it of its simulator.
enum ExecEnvironment {
  /// - Parameters:
  ///   - outer: our own environment.
  ///   - environment: which is served; where it is the sandbox alone, its ports have both names.
  ///   - token: the control API's, if it wants one.
  static func variables(
    _ outer: [String: String],
    _ endpoints: Endpoints,
    environment: EnvironmentChoice,
    certificates: String,
    token: String?
  ) -> [String: String] {
    var variables = outer
    // An outer simulator's, which ours may have nothing for; and what ours writes, which an inner one would empty.
    for name in [
      "SANDBOX_GATEWAY_PORT", "SANDBOX_FEEDBACK_PORT", "HTTP2_PORT", "SANDBOX_HTTP2_PORT", "DEVICE_PORT",
      "CONTROL_URL", "CONTROL_TOKEN", "SANDBOX", "ENDPOINTS_FILE", "RECORD", "AS_APPLE",
    ] { variables["APNSIM_\(name)"] = nil }
    variables["APNSIM_HOST"] = endpoints.host
    variables["APNSIM_GATEWAY_PORT"] = "\(endpoints.gatewayPort)"
    variables["APNSIM_FEEDBACK_PORT"] = "\(endpoints.feedbackPort)"
    let sandbox: (gateway: Int?, feedback: Int?) =
      environment == .sandbox
      ? (gateway: endpoints.gatewayPort, feedback: endpoints.feedbackPort)
      : (gateway: endpoints.sandboxGatewayPort, feedback: endpoints.sandboxFeedbackPort)
    variables["APNSIM_SANDBOX_GATEWAY_PORT"] = sandbox.gateway.map { "\($0)" }
    variables["APNSIM_SANDBOX_FEEDBACK_PORT"] = sandbox.feedback.map { "\($0)" }
    variables["APNSIM_HTTP2_PORT"] = endpoints.http2Port.map { "\($0)" }
    let sandboxRequests = environment == .sandbox ? endpoints.http2Port : endpoints.sandboxHTTP2Port
    variables["APNSIM_SANDBOX_HTTP2_PORT"] = sandboxRequests.map { "\($0)" }
    variables["APNSIM_AUTH_KEY"] = endpoints.providerTokenKeyFile
    variables["APNSIM_KEY_ID"] = endpoints.keyID
    variables["APNSIM_TEAM_ID"] = endpoints.teamID
    variables["APNSIM_DEVICE_PORT"] = endpoints.devicePort.map { "\($0)" }
    // Without a word, a command would look in the usual place, where another simulator may be.
    variables["APNSIM_CONTROL_URL"] = endpoints.control ?? ControlURL.none
    variables["APNSIM_CONTROL_TOKEN"] = token
    variables["APNSIM_CERTS"] = certificates
    variables["APNSIM_CA_FILE"] = endpoints.authorityFile
    variables["APNSIM_PROVIDER_CERT"] = endpoints.providerCertificateFile
    variables["APNSIM_PROVIDER_KEY"] = endpoints.providerKeyFile
    variables["APNSIM_PROVIDER_P12"] = endpoints.providerPKCS12File
    return variables
  }
}
