package import APNSimWire

extension Advice {
  /// Writes the members of the advice object, which the caller has begun:
  ///
  ///     {"kind":"alertOnlyBody","severity":"hint","environment":"production","topic":"com.example.app","count":3,
  ///      "first":"2012-06-01T00:00:00.000Z","last":"2012-06-01T00:00:09.000Z","text":"…",
  ///      "guide":{"sentence":"…","source":"…"}}
  package func writeMembers(to writer: inout JSONWriter) {
    writer.key("kind")
    writer.string(kind.description)
    writer.key("severity")
    writer.string(severity.rawValue)
    writer.key("environment")
    writer.string(provider.environment.rawValue)
    writer.key("topic")
    writer.string(provider.topic)
    writer.key("count")
    writer.int(count)
    writer.key("first")
    writer.string(first.description)
    writer.key("last")
    writer.string(last.description)
    writer.key("text")
    writer.string(text)
    writer.key("guide")
    writer.beginObject()
    writer.key("sentence")
    writer.string(kind.sentence)
    writer.key("source")
    writer.string(kind.source)
    writer.endObject()
  }
}
