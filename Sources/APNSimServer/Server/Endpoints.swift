package import APNSimWire

/// The addresses and certificates of a running simulator, for programs.
///
/// The keys of its JSON are a contract (`--endpoints-file`, `--print json`).
public struct Endpoints: Hashable, Sendable {
  public static let version = 1
  public var processIdentifier: Int
  /// The address to connect to.
  public var host: String
  public var gatewayPort: Int
  public var feedbackPort: Int
  /// The port of requests over HTTP/2; nil if it is off.
  public var http2Port: Int?
  /// The second environment's ports, when both are served.
  public var sandboxGatewayPort: Int?
  public var sandboxFeedbackPort: Int?
  public var sandboxHTTP2Port: Int?
  /// The port for devices; nil if it is off.
  public var devicePort: Int?
  /// The base URL of the control API; nil if it is off.
  public var control: String?
  /// The key that was made for provider tokens, its identifier and its team.
  public var providerTokenKeyFile: String
  public var keyID: String
  public var teamID: String
  public var authorityFile: String
  public var providerCertificateFile: String
  public var providerKeyFile: String
  public var providerPKCS12File: String

  /// One line of JSON, without a newline.
  public var json: String {
    var writer = JSONWriter()
    write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension Endpoints: JSONObject {
  package static let shape = JSONShape<Self>("Endpoints", "The endpoints, as in the endpoints file.") {
    $0.member("version") { _ in version }
    $0.member("pid") { $0.processIdentifier }
    $0.member(
      "host",
      """
      The address to connect to; where the simulator listens on every address, the name by which the request reached it.
      """
    ) { $0.host }
    $0.member("gateway", "Port.") { $0.gatewayPort }
    $0.member("feedback", "Port.") { $0.feedbackPort }
    $0.optional("http2", "Port of requests over HTTP/2; absent if it is off.") { $0.http2Port }
    $0.optional("sandboxGateway", "Port of the second environment, if both are served.") {
      $0.sandboxGatewayPort
    }
    $0.optional("sandboxFeedback", "Port.") { $0.sandboxFeedbackPort }
    $0.optional("sandboxHttp2", "Port.") { $0.sandboxHTTP2Port }
    $0.optional("device", "Port; absent if devices cannot connect.") { $0.devicePort }
    $0.optional("control", "Base URL.") { $0.control }
    $0.always("control")
    $0.member("authKey", "The file of a key that signs provider tokens.") { $0.providerTokenKeyFile }
    $0.member("keyId") { $0.keyID }
    $0.member("teamId") { $0.teamID }
    $0.member("ca") { $0.authorityFile }
    $0.member("providerCertificate") { $0.providerCertificateFile }
    $0.member("providerKey") { $0.providerKeyFile }
    $0.member("providerP12") { $0.providerPKCS12File }
  }
}
