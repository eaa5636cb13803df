/// What a certificate says about its holder: plain facts, no judgement.
public struct PeerCertificate: Sendable, Hashable {
  /// What a certificate was made for, as far as it tells.
  public enum Kind: String, Sendable, Hashable {
    /// Sends notifications: it names a topic in its subject or in the topics extension.
    case provider
    /// Receives notifications: made by ``PKIDirectory`` for a device.
    case device
    /// Neither.
    case other
  }

  public let der: [UInt8]
  /// The whole subject on one line, most specific part first (RFC 2253): "CN=…,UID=com.example.app".
  public let subject: String
  /// The whole issuer, likewise.
  public let issuer: String
  public let commonName: String?
  /// The subject's UID: the topic of a certificate for one app.
  public let userID: String?
  /// The topics extension (1.2.840.113635.100.6.3.6); empty when there is none.
  public let topics: [TopicName]
  /// The extension is there and is not what it should be.
  public let hasMalformedTopics: Bool
  /// Carries Apple's mark of the development environment (1.2.840.113635.100.6.3.1).
  public let isDevelopment: Bool
  /// Carries Apple's mark of the production environment (1.2.840.113635.100.6.3.2).
  public let isProduction: Bool
  /// Seconds since 1970, UTC.
  public let notBefore: Int64
  /// Seconds since 1970, UTC.
  public let notAfter: Int64
  /// The serial number in lower-case hexadecimal.
  public let serial: String
  public let kind: Kind

  /// One topic of the topics extension.
  public struct TopicName: Sendable, Hashable {
    /// The topic: a bundle identifier, or one derived from it.
    public let name: String
    /// "app", "voip", "complication", …
    public let kind: String
  }

  /// Every topic the holder may send to, the default one first: the extension's, else the subject's UID.
  public var topicNames: [String] {
    guard topics.isEmpty else {
      let names = topics.map(\.name)
      guard let userID, let index = names.firstIndex(of: userID), index > 0 else { return names }
      return [userID] + names[..<index] + names[(index + 1)...]
    }
    return userID.map { [$0] } ?? []
  }
}
