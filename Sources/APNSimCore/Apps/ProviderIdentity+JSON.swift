package import APNSimWire

extension ProviderIdentity {
  /// Writes the members of the provider object of a line, which the caller has begun.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("topic", topic)
    writer.member("topics", topics)
    writer.member("environment", environment.rawValue)
    writer.member("subject", subject)
  }
}
