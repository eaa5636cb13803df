package import APNSimWire

extension ProviderIdentity {
  /// Writes the members of the provider object of a line, which the caller has begun.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.key("topic")
    writer.string(topic)
    writer.key("topics")
    writer.beginArray()
    for topic in topics { writer.string(topic) }
    writer.endArray()
    writer.key("environment")
    writer.string(environment.rawValue)
    writer.key("subject")
    writer.string(subject)
  }
}
