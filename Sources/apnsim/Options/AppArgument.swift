import APNSimCore
import APNSimWire
import ArgumentParser

/// An app on a device, as `--app` takes it: `TOPIC`, `TOPIC:sandbox`, `TOPIC=TOKEN`.
struct AppArgument: ExpressibleByArgument, Hashable, Sendable {
  var topic: String
  /// The app's environment; nil is the server's.
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

  /// For people: `com.example.app`, with the environment where it was said.
  var place: String { environment.map { "\(topic) (\($0.rawValue))" } ?? topic }

  /// - Throws: that a token, which only a device can have had, goes without saying here.
  func refuseToken(_ what: String) throws(ValidationError) {
    guard token == nil else {
      throw ValidationError("\(what) takes no token: expected TOPIC or TOPIC:sandbox")
    }
  }

  /// The parameters of a request that name the app.
  var query: [(name: String, value: String)] {
    [("topic", topic)] + (environment.map { [("environment", $0.rawValue)] } ?? [])
  }

  /// The members that were given: `{"topic":…,"environment":…,"token":…}`.
  var members: [JSONValue.Member] {
    let json = JSONValue.object([
      "topic": .string(topic), "environment": environment.map { .string($0.rawValue) },
      "token": token.map { .string(Hex.encode($0)) },
    ])
    return json.objectValue ?? []
  }

  /// The first line of a device with these apps.
  static func line(_ apps: [AppArgument], languages: [String]) -> [UInt8] {
    let line = JSONValue.object([
      "apps": .array(apps.map { .object($0.members) }),
      "languages": languages.isEmpty ? nil : .array(languages.map { .string($0) }),
    ])
    return Array("\(line)\n".utf8)
  }
}
