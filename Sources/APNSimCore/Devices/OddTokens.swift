import APNSimWire

/// Tokens of other lengths than 32 bytes, and the registrations that have them.
struct OddTokens {
  private struct Key: Hashable {
    var app: UInt16
    var bytes: [UInt8]
  }

  /// The tokens of registrations, removed ones among them as long as the history may tell of them.
  private var byRegistration: [UInt32: [UInt8]] = [:]
  private var byToken: [Key: UInt32] = [:]
  /// The lengths in bytes that tokens have, 32 among them.
  private(set) var sizes = TokenSizes()
  /// The number of tokens of each length, where it is not 32.
  private var counts: [Int: Int] = [:]

  subscript(registration: UInt32) -> [UInt8]? { byRegistration[registration] }

  func find(app: UInt16, token: UnsafeRawBufferPointer) -> UInt32? {
    byToken[Key(app: app, bytes: Array(token))]
  }

  mutating func insert(_ bytes: [UInt8], app: UInt16, registration: UInt32) {
    byRegistration[registration] = bytes
    byToken[Key(app: app, bytes: bytes)] = registration
    sizes.insert(bytes.count)
    counts[bytes.count, default: 0] += 1
  }

  /// Takes the token of a registration that is removed, which is remembered.
  mutating func take(from registration: UInt32, app: UInt16) {
    guard let bytes = byRegistration[registration] else { return }
    byToken[Key(app: app, bytes: bytes)] = nil
    counts[bytes.count, default: 1] -= 1
    if counts[bytes.count] == 0 { sizes.remove(bytes.count) }
  }

  /// Forgets a removed registration.
  mutating func forget(_ registration: UInt32) { byRegistration[registration] = nil }
}

extension OddTokens: KeptByMembers {
  static let members = Members(checked: Self.init, \.tokens)

  /// A token with its app where it means it still.
  struct Token {
    let bytes: [UInt8]
    let app: UInt16?
  }

  private var tokens: [UInt32: Token] {
    var apps: [UInt32: UInt16] = [:]
    for (key, registration) in byToken { apps[registration] = key.app }
    var tokens: [UInt32: Token] = [:]
    for (registration, bytes) in byRegistration {
      tokens[registration] = Token(bytes: bytes, app: apps[registration])
    }
    return tokens
  }

  private init(_ state: StateReader, _ tokens: [UInt32: Token]) throws(StateError) {
    self.init()
    for (registration, token) in tokens {
      guard let app = token.app else {
        byRegistration[registration] = token.bytes
        continue
      }
      guard byToken[Key(app: app, bytes: token.bytes)] == nil else {
        throw state.error("another token than that of another registration was expected")
      }
      insert(token.bytes, app: app, registration: registration)
    }
  }

  /// - Parameter registrations: there are places of registrations below it.
  init(reading state: inout StateReader, registrations: UInt32) throws(StateError) {
    try self.init(reading: &state)
    try state.expect(byRegistration.keys, below: registrations)
  }

  /// The registrations that tokens mean, each with its app.
  var meant: [(registration: UInt32, app: UInt16)] {
    byToken.map { (registration: $0.value, app: $0.key.app) }
  }
}

extension OddTokens.Token: KeptByMembers {
  static let members = Members(Self.init, \.bytes, \.app)
}
