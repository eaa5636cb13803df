package import APNSimWire

/// Where a running simulator is reached and with which certificates: what programs are told.
///
/// The keys of its JSON are a contract (`--endpoints-file`, `--print json`).
public struct Endpoints: Hashable, Sendable {
  public static let version = 1
  public var processIdentifier: Int
  /// The address to connect to.
  public var host: String
  public var gatewayPort: Int
  public var feedbackPort: Int
  /// The second environment's pair, when both are served.
  public var sandboxGatewayPort: Int?
  public var sandboxFeedbackPort: Int?
  /// Where devices connect, unless that is off.
  public var devicePort: Int?
  /// The base URL of the control API, where there is one.
  public var control: String?
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

  /// The members of the object, which the caller has begun.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.key("version")
    writer.int(Self.version)
    writer.key("pid")
    writer.int(processIdentifier)
    writer.key("host")
    writer.string(host)
    writer.key("gateway")
    writer.int(gatewayPort)
    writer.key("feedback")
    writer.int(feedbackPort)
    if let sandboxGatewayPort, let sandboxFeedbackPort {
      writer.key("sandboxGateway")
      writer.int(sandboxGatewayPort)
      writer.key("sandboxFeedback")
      writer.int(sandboxFeedbackPort)
    }
    if let devicePort {
      writer.key("device")
      writer.int(devicePort)
    }
    if let control {
      writer.key("control")
      writer.string(control)
    }
    writer.key("ca")
    writer.string(authorityFile)
    writer.key("providerCertificate")
    writer.string(providerCertificateFile)
    writer.key("providerKey")
    writer.string(providerKeyFile)
    writer.key("providerP12")
    writer.string(providerPKCS12File)
  }
}
