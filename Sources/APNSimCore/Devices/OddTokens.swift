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

/// Each token is written with its app where it means it still.
extension OddTokens {
  func write(to state: inout StateWriter) {
    var apps: [UInt32: UInt16] = [:]
    for (key, registration) in byToken { apps[registration] = key.app }
    state.write(count: byRegistration.count)
    byRegistration.forEachInOrder { registration, bytes in
      state.write(raw: registration)
      state.write(bytes)
      apps[registration].write(to: &state)
    }
  }

  /// - Parameter registrations: there are places of registrations below it.
  init(reading state: inout StateReader, registrations: UInt32) throws(StateError) {
    self.init()
    var next: UInt32 = 0
    for _ in 0..<(try state.count()) {
      let registration = try state.place(below: registrations)
      guard registration >= next else {
        throw state.error("a registration from \(next) on was expected, and \(registration) found")
      }
      next = registration + 1
      let bytes = Array(try state.bytes())
      guard let app = try UInt16?(reading: &state) else {
        byRegistration[registration] = bytes
        continue
      }
      guard byToken[Key(app: app, bytes: bytes)] == nil else {
        throw state.error("another token than that of another registration was expected")
      }
      insert(bytes, app: app, registration: registration)
    }
  }

  /// The registrations that tokens mean, each with its app.
  var meant: [(registration: UInt32, app: UInt16)] {
    byToken.map { (registration: $0.value, app: $0.key.app) }
  }
}
