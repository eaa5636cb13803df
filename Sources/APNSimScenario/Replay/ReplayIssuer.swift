internal import APNSimCore
internal import APNSimWire
internal import Synchronization

/// Issues device tokens as the recorded run did. The key that made them is not in a capture, and need not be: what was
/// issued, and which tokens were taken for good, stands in its lines.
final class ReplayIssuer: TokenIssuing, @unchecked Sendable {
  // Used by the one thread that replays.
  private let source: ReplaySource
  private let fallback: SeededTokenIssuer
  private var issued: [Key: [UInt8]] = [:]
  private var owners: [Shown: [UInt8]] = [:]
  /// While a notification is replayed: whether its token was taken for good; nil at any other time.
  var isTokenGood: Bool?

  private struct Key: Hashable {
    var device: [UInt8]
    var app: AppKey
  }

  private struct Shown: Hashable {
    var token: [UInt8]
    var app: AppKey
  }

  init(_ source: ReplaySource, seed: UInt64) {
    self.source = source
    fallback = SeededTokenIssuer(seed: seed)
  }

  func issue(device: [UInt8], app: AppKey) -> [UInt8] {
    if let known = issued[Key(device: device, app: app)] { return known }
    let found = source.lookAhead { event, fields -> [UInt8]? in
      guard event == "appInstalled", Self.app(fields) == app, fields.value("issued") == .bool(true),
        let name = fields.string("device"), DeviceIdentity.of(name: name) == device
      else { return nil }
      return fields.string("token").flatMap { Hex.decode($0) }
    }
    let token = found ?? fallback.issue(device: device, app: app)
    issued[Key(device: device, app: app)] = token
    owners[Shown(token: token, app: app)] = device
    return token
  }

  func open(_ token: [UInt8], app: AppKey) -> [UInt8]? {
    if let owner = owners[Shown(token: token, app: app)] { return owner }
    if let isTokenGood { return isTokenGood ? [UInt8](repeating: 0, count: 16) : nil }
    let shown = Hex.encode(token)
    let found = source.lookAhead { event, fields -> [UInt8]?? in
      switch event {
      case "appInstalled":
        guard Self.app(fields) == app, fields.string("token") == shown else { return nil }
        return .some(
          fields.value("issued") == .bool(true)
            ? fields.string("device").map { DeviceIdentity.of(name: $0) } : nil
        )
      case "bytesOut": return Self.refusal(fields, of: app)
      default: return nil
      }
    }
    guard let found, let owner = found else { return nil }
    owners[Shown(token: token, app: app)] = owner
    return owner
  }

  private static func app(_ fields: borrowing LineFields) -> AppKey? {
    guard let topic = fields.string("topic"),
      let environment = fields.string("environment").flatMap(PushEnvironment.init(rawValue:))
    else { return nil }
    return AppKey(topic: topic, environment: environment)
  }

  /// A device was refused for its token, and told whose it is: another device's, or for another app.
  private static func refusal(_ fields: borrowing LineFields, of app: AppKey) -> [UInt8]?? {
    var line: [UInt8] = []
    guard fields.base64("bytes", into: &line),
      let error = (try? JSONValue.parse(line))?.member("error"),
      error.member("reason")?.stringValue == "token", let text = error.member("found")?.stringValue
    else { return nil }
    let stranger = [UInt8](repeating: 0xFF, count: 16)
    if text == "a token for \(app)" { return .some(stranger) }
    let isOfThisApp = error.member("expected")?.stringValue?.contains(" for \(app),") == true
    return .some(text == "a token that was issued to another device" && isOfThisApp ? stranger : nil)
  }
}
