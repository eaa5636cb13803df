import APNSimWire

/// A device's request in one line, as JSON:
///
///     {"apps":[{"topic":"com.example.app","environment":"production","token":"64 digits it had before"}],
///      "languages":["fr","en"]}
///     {"install":{"topic":"com.example.app"}}
///     {"uninstall":{"topic":"com.example.app"}}
///
/// `environment` may be left out, and an app may be its topic alone. The first line is `apps`: "it must provide APNs
/// with the token every time it connects with it" (Local and Push Notification Programming Guide 2011-08-09, "Token
/// Trust (Notification)"). An app that is not named stays as it is; only `uninstall` removes one.
enum DeviceRequest: Hashable {
  case apps([App], languages: [String]?)
  case install(App)
  case uninstall(AppKey)

  struct App: Hashable {
    var key: AppKey
    /// The token that the device had before, if it had one.
    var token: [UInt8]?
  }

  /// The most languages a device may prefer, and the most bytes of one.
  private static let languageLimit = 32
  private static let nameLimit = 255

  static let expected = #"{"apps":[{"topic":…,"environment":…,"token":…}]}, "install" or "uninstall""#

  /// - Parameter mostApps: how many apps a device may have.
  /// - Throws: `DeviceRefusal` that says what was expected and found.
  init(
    _ line: some Collection<UInt8>,
    environment: PushEnvironment,
    mostApps: Int
  ) throws(DeviceRefusal) {
    // The line's end is a byte, so that what has more than one for a character would be cut inside of it.
    guard !line.contains(0) else {
      throw DeviceRefusal(.json, expected: "one JSON object in a line of UTF-8", found: "a zero byte")
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(line)
    } catch {
      throw DeviceRefusal(
        .json,
        expected: "one JSON object in a line; \(error.expected)",
        found: "\(error.found) at offset \(error.offset)"
      )
    }
    guard let members = value.objectValue else {
      throw Self.mismatch(Self.expected, value)
    }
    let names = members.map(\.key)
    if let unknown = names.first(where: { !["apps", "languages", "install", "uninstall"].contains($0) }) {
      throw DeviceRefusal(.request, expected: Self.expected, found: "the key \"\(unknown.prefix(64))\"")
    }
    switch (value.member("apps"), value.member("install"), value.member("uninstall")) {
    case (let apps?, nil, nil):
      guard let elements = apps.arrayValue else { throw Self.mismatch("a list of apps", apps) }
      guard elements.count <= mostApps else {
        throw DeviceRefusal(apps: elements.count, most: mostApps)
      }
      var read: [App] = []
      var keys: Set<AppKey> = []
      for element in elements {
        let app = try Self.app(element, environment)
        guard keys.insert(app.key).inserted else {
          throw DeviceRefusal(.request, expected: "each app once", found: "\(app.key) twice")
        }
        read.append(app)
      }
      self = .apps(read, languages: try value.member("languages").map(Self.languages))
    case (nil, let app?, nil) where names.count == 1: self = .install(try Self.app(app, environment))
    case (nil, nil, let app?) where names.count == 1: self = .uninstall(try Self.app(app, environment).key)
    default:
      let found = names.isEmpty ? "an empty object" : names.joined(separator: " and ")
      throw DeviceRefusal(.request, expected: Self.expected, found: found)
    }
  }

  private static func app(
    _ value: JSONValue,
    _ environment: PushEnvironment
  ) throws(DeviceRefusal) -> App {
    if value.stringValue != nil {
      return App(key: AppKey(topic: try topic(value), environment: environment), token: nil)
    }
    guard let members = value.objectValue else {
      throw mismatch(#"an app as {"topic":…} or its topic"#, value)
    }
    if let unknown = members.map(\.key).first(where: { !["topic", "environment", "token"].contains($0) }) {
      throw DeviceRefusal(
        .request,
        expected: "topic, environment or token",
        found: "the key \"\(unknown.prefix(64))\" of an app"
      )
    }
    var key = AppKey(topic: try topic(value.member("topic") ?? .null), environment: environment)
    if let named = value.member("environment") {
      guard let known = named.stringValue.flatMap(PushEnvironment.init(rawValue:)) else {
        throw mismatch("the environment production or sandbox", named)
      }
      key.environment = known
    }
    guard let token = value.member("token"), token != .null else { return App(key: key, token: nil) }
    guard
      let bytes = token.stringValue.flatMap({ Hex.decode($0) }),
      (1...TokenSizes.maximum).contains(bytes.count)
    else { throw mismatch("a token as 2 to 200 hex digits, most often 64", token) }
    return App(key: key, token: bytes)
  }

  private static func topic(_ value: JSONValue) throws(DeviceRefusal) -> String {
    guard let topic = value.stringValue, AppKey.isTopic(topic) else {
      throw mismatch(AppKey.expectedTopic, value)
    }
    return topic
  }

  private static func languages(_ value: JSONValue) throws(DeviceRefusal) -> [String] {
    let names = value.arrayValue?.compactMap(\.stringValue)
    guard let names, names.count == value.arrayValue?.count, names.count <= languageLimit,
      names.allSatisfy({ (1...nameLimit).contains($0.utf8.count) })
    else { throw mismatch(#"languages such as ["fr","en"], at most \#(languageLimit)"#, value) }
    return names
  }

  private static func mismatch(_ expected: String, _ found: JSONValue) -> DeviceRefusal {
    let text = found == .null ? "nothing" : found.description
    return DeviceRefusal(.request, expected: expected, found: text.count > 80 ? "\(text.prefix(80))…" : text)
  }
}
