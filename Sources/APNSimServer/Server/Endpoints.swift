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
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Writes the members of the object, which the caller has begun.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("version", Self.version)
    writer.member("pid", processIdentifier)
    writer.member("host", host)
    writer.member("gateway", gatewayPort)
    writer.member("feedback", feedbackPort)
    if let http2Port {
      writer.member("http2", http2Port)
    }
    if let sandboxGatewayPort, let sandboxFeedbackPort {
      writer.member("sandboxGateway", sandboxGatewayPort)
      writer.member("sandboxFeedback", sandboxFeedbackPort)
    }
    if let sandboxHTTP2Port {
      writer.member("sandboxHttp2", sandboxHTTP2Port)
    }
    if let devicePort {
      writer.member("device", devicePort)
    }
    if let control {
      writer.member("control", control)
    }
    writer.member("authKey", providerTokenKeyFile)
    writer.member("keyId", keyID)
    writer.member("teamId", teamID)
    writer.member("ca", authorityFile)
    writer.member("providerCertificate", providerCertificateFile)
    writer.member("providerKey", providerKeyFile)
    writer.member("providerP12", providerPKCS12File)
  }
}
