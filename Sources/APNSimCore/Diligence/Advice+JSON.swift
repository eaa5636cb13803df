package import APNSimWire

extension Advice {
  /// Writes the members of the advice object, which the caller has begun:
  ///
  ///     {"kind":"alertOnlyBody","severity":"hint","environment":"production","topic":"com.example.app","count":3,
  ///      "first":"2012-06-01T00:00:00.000Z","last":"2012-06-01T00:00:09.000Z","text":"…",
  ///      "guide":{"sentence":"…","source":"…"}}
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", kind.description)
    writer.member("severity", severity.rawValue)
    writer.member("environment", provider.environment.rawValue)
    writer.member("topic", provider.topic)
    writer.member("count", count)
    writer.member("first", first.description)
    writer.member("last", last.description)
    writer.member("text", text)
    writer.key("guide")
    writer.beginObject()
    writer.member("sentence", kind.sentence)
    writer.member("source", kind.source)
    writer.endObject()
  }
}
