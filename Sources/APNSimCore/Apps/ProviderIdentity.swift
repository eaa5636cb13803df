package import APNSimWire

/// The identity of a connected provider, as its certificate says: the topics it may send to and where.
public struct ProviderIdentity: Hashable, Sendable {
  /// The topics of the certificate, the default one (subject UID) first. Never empty for an accepted provider.
  public var topics: [String]
  /// The environment of the listener the provider reached; its certificate is good for it.
  public var environment: PushEnvironment
  /// The certificate's subject in one line, for people.
  public var subject: String

  public init(topics: [String], environment: PushEnvironment, subject: String) {
    self.topics = topics
    self.environment = environment
    self.subject = subject
  }

  /// The topic a binary notification goes to: the frame has no field for another.
  public var topic: String { topics.first ?? "" }
}

extension ProviderIdentity {
  /// Writes the members of the provider object of a line, which the caller has begun.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("topic", topic)
    writer.member("topics", topics)
    writer.member("environment", environment.rawValue)
    writer.member("subject", subject)
  }
}

extension ProviderIdentity: KeptByMembers {
  static let members = Members(Self.init, \.topics, \.environment, \.subject)
}
