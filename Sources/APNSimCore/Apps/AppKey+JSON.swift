package import APNSimWire

extension AppKey {
  /// `"topic":"com.example.app","environment":"production"`, in an object that the caller has begun.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("topic", topic)
    writer.member("environment", environment.rawValue)
  }
}
