import APNSimCore
import APNSimWire
import ArgumentParser

/// An app on a device, as `--app` takes it: `TOPIC`, `TOPIC:sandbox`, `TOPIC=TOKEN`.
struct AppArgument: ExpressibleByArgument, Hashable, Sendable {
  var topic: String
  /// Nil: that of the server.
  var environment: PushEnvironment?
  /// The token it had before.
  var token: [UInt8]?

  init?(argument: String) {
    var text = argument[...]
    if let mark = text.lastIndex(of: "=") {
      let digits = String(text[text.index(after: mark)...])
      guard let bytes = Hex.decode(digits), !bytes.isEmpty else { return nil }
      token = bytes
      text = text[..<mark]
    }
    if let mark = text.lastIndex(of: ":") {
      let name = String(text[text.index(after: mark)...])
      guard let named = PushEnvironment(rawValue: name) else { return nil }
      environment = named
      text = text[..<mark]
    }
    guard !text.isEmpty else { return nil }
    topic = String(text)
  }

  /// The first line of a device with these apps.
  static func line(_ apps: [AppArgument], languages: [String]) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("apps")
    writer.beginArray()
    for app in apps {
      writer.beginObject()
      writer.key("topic")
      writer.string(app.topic)
      if let environment = app.environment {
        writer.key("environment")
        writer.string(environment.rawValue)
      }
      if let token = app.token {
        writer.key("token")
        writer.hex(token)
      }
      writer.endObject()
    }
    writer.endArray()
    if !languages.isEmpty {
      writer.key("languages")
      writer.beginArray()
      for language in languages { writer.string(language) }
      writer.endArray()
    }
    writer.endObject()
    writer.newline()
    return writer.bytes
  }
}
