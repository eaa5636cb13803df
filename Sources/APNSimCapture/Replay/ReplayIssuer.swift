import APNSimCore
import APNSimWire

/// Issues device tokens as the recorded run did. A capture does not have the key that made them: its lines have the
/// tokens that were issued, and those that were accepted.
final class ReplayIssuer: TokenIssuing, @unchecked Sendable {
  // Used by the one thread that replays.
  private let source: ReplaySource
  private let fallback: SeededTokenIssuer
  private var issued: [Key: [UInt8]] = [:]
  private var owners: [Shown: [UInt8]] = [:]
  /// Tokens that the present input had issued, as far as nobody has asked for them.
  private var fresh: [Issued] = []
  /// The number of tokens that were issued for a device's app.
  private var counts: [Owner: UInt32] = [:]
  /// The answers to devices whose tokens were refused, by the present input.
  private var refusals: [JSONValue] = []
  private var input = 0
  /// True where the token of the notification that is being replayed was accepted; nil at any other time.
  var isTokenGood: Bool?

  private struct Key: Hashable {
    var device: [UInt8]
    var app: AppKey
  }

  private struct Owner: Hashable {
    var name: String
    var app: AppKey
  }

  private struct Issued {
    var owner: Owner
    var token: [UInt8]
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
    let key = Key(device: device, app: app)
    if issued[key] == nil { learn() }
    if let known = issued[key] { return known }
    if let place = fresh.firstIndex(where: { $0.owner.app == app && isOwner($0.owner, device) }) {
      let token = fresh.remove(at: place).token
      issued[key] = token
      return token
    }
    let token = fallback.issue(device: device, app: app)
    issued[key] = token
    owners[Shown(token: token, app: app)] = device
    return token
  }

  func open(_ token: [UInt8], app: AppKey) -> [UInt8]? {
    let shown = Shown(token: token, app: app)
    if let owner = owners[shown] { return owner }
    if let isTokenGood { return isTokenGood ? [UInt8](repeating: 0, count: 16) : nil }
    learn()
    return owners[shown] ?? refusals.lazy.compactMap { Self.stranger($0, app) }.first
  }

  /// Takes the tokens in the consequences of the present input.
  private func learn() {
    if input != source.count {
      settle()
      (input, refusals) = (source.count, [])
    }
    source.scanAhead { event, fields in
      switch event {
      case "appInstalled":
        guard let app = Self.app(fields), let name = fields.string("device"),
          let token = fields.string("token").flatMap({ Hex.decode($0) }),
          fields.value("issued") == .bool(true)
        else { return }
        learn(token, of: Owner(name: name, app: app))
      case "bytesOut":
        var line: [UInt8] = []
        guard fields.base64("bytes", into: &line), let error = (try? JSONValue.parse(line))?.member("error"),
          error.member("reason")?.stringValue == "token"
        else { return }
        refusals.append(error)
      default: break
      }
    }
  }

  /// Takes a token that was issued to a device.
  private func learn(_ token: [UInt8], of owner: Owner) {
    let shown = Shown(token: token, app: owner.app)
    guard owners[shown] == nil else { return }
    owners[shown] = DeviceIdentity.of(name: owner.name)
    counts[owner, default: 0] += 1
    fresh.append(Issued(owner: owner, token: token))
  }

  /// True for an identity that a device has had, or has after its next rotation.
  private func isOwner(_ owner: Owner, _ device: [UInt8]) -> Bool {
    (0...counts[owner, default: 0]).contains {
      DeviceIdentity.of(name: owner.name, incarnation: $0) == device
    }
  }

  /// Tokens that nobody has asked for were given to their devices by somebody who knew them.
  private func settle() {
    for left in fresh {
      let key = Key(device: DeviceIdentity.of(name: left.owner.name), app: left.owner.app)
      if issued[key] == nil { issued[key] = left.token }
    }
    fresh = []
  }

  /// The refusal of a device's token with the reason: it is another device's, or for another app.
  private static func stranger(_ error: JSONValue, _ app: AppKey) -> [UInt8]? {
    let found = error.member("found")?.stringValue
    let isOfThisApp = error.member("expected")?.stringValue?.contains(" for \(app),") == true
    guard found == "\(TokenOrigin.otherApp(app))" || found == "\(TokenOrigin.otherDevice)" && isOfThisApp
    else { return nil }
    return [UInt8](repeating: 0xFF, count: 16)
  }

  private static func app(_ fields: borrowing LineFields) -> AppKey? {
    guard let topic = fields.string("topic"),
      let environment = fields.string("environment").flatMap(PushEnvironment.init(rawValue:))
    else { return nil }
    return AppKey(topic: topic, environment: environment)
  }
}
