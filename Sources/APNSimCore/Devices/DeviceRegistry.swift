import APNSimWire

/// All devices, their apps and their tokens.
struct DeviceRegistry: ~Copyable {
  private(set) var registrations = Slab<Registration>()
  private(set) var devices = Slab<Device>()
  private(set) var liveDevices = 0
  private var table = HashTable()
  private(set) var names = DeviceNames()
  private var oddTokens = OddTokens()
  /// The meanings of the current batch's tokens.
  private let lookup = TokenLookup()
  private var facts = RareFacts()
  /// The tokens that are dead, and the numbers of those that were issued.
  var lives = TokenLives()
  /// The languages that the users of devices prefer, best first, where somebody said.
  private var languages: [UInt32: [String]] = [:]
  private var retired = RetiredPlaces()

  /// The registration that a token means for an app.
  @inline(__always)
  func find(app: UInt16, token: UnsafeRawBufferPointer) -> UInt32? {
    if token.count == DeviceToken.byteCount, let base = token.baseAddress {
      return table.find(DeviceToken(base).hash(app: app)) {
        registrations[$0].app == app && registrations[$0].token.equals(base)
      }
    }
    return oddTokens.find(app: app, token: token)
  }

  func find(app: UInt16, token: [UInt8]) -> UInt32? { token.withUnsafeBytes { find(app: app, token: $0) } }

  /// Begins to look up the tokens of a batch, for ``found(_:)``.
  @inline(never)
  mutating func beginLookup(_ batch: some TokenBatch) { lookup.begin(batch, table, registrations, devices) }

  /// Goes on with it: to be called before the token at `index` has its turn.
  // It changes what the lookup has noted; and were it not `mutating`, each call might copy the registry's fields.
  @inline(__always)
  mutating func goOnWithLookup(_ batch: some TokenBatch, at index: Int) {
    lookup.prepare(after: index, of: batch, table, registrations, devices)
  }

  /// The batch's finding for the token at `index`; nil where it has to be looked up by itself.
  @inline(__always)
  func found(_ index: Int) -> UInt32? {
    let place = lookup.place(index)
    return place == Registration.none ? nil : place
  }

  /// Makes room for so many devices with names.
  mutating func reserve(_ count: Int) { names.reserve(count) }

  /// Makes a device. The name must not be taken.
  mutating func addDevice(name: String?, isOnline: Bool) -> UInt32? {
    let device = Device(firstRegistration: Registration.none, isOnline: isOnline, isNamed: name != nil)
    guard let index = devices.insert(device) else { return nil }
    if let name { names.give(name, to: index) }
    liveDevices += 1
    return index
  }

  /// Gives a device its name that had none. The name must not be taken.
  /// - Parameter number: notifications before this one came to a device without a name.
  mutating func give(_ name: String, to device: UInt32, from number: UInt64) {
    names.give(name, to: device, from: number)
    devices[device].isNamed = true
  }

  /// The languages that the user of a device prefers, best first; empty where nobody said.
  func languages(of device: UInt32) -> [String] { languages[device] ?? [] }

  mutating func setLanguages(_ wanted: [String], of device: UInt32) {
    if !wanted.isEmpty || !languages.isEmpty { languages[device] = wanted.isEmpty ? nil : wanted }
  }

  /// Puts an app on a device under a token that no other registration of the app has.
  mutating func register(
    device: UInt32,
    app: UInt16,
    token: UnsafeRawBufferPointer,
    flags: Registration.Flags,
    at now: Timestamp
  ) -> UInt32? {
    var flags = flags
    let kept: DeviceToken
    if token.count == DeviceToken.byteCount, let base = token.baseAddress {
      kept = DeviceToken(base)
    } else {
      kept = DeviceToken(hash: Hash64.of(token))
      flags.insert(.oddToken)
    }
    let registration = Registration(token: kept, registeredAt: now, device: device, app: app, flags: flags)
    guard let index = registrations.insert(registration) else { return nil }
    facts.setSibling(of: index, devices[device].firstRegistration)
    devices[device].firstRegistration = index
    if flags.contains(.oddToken) {
      oddTokens.insert(Array(token), app: app, registration: index)
    } else {
      let rows = registrations.rows
      table.insert(rows.hash(index), place: index) { rows.hash($0) }
    }
    return index
  }

  /// Takes one app off a device; its stored notification must be gone already.
  /// - Parameter end: notifications from this number on cannot be for it.
  mutating func unregister(_ index: UInt32, end: UInt64) {
    takeFromDevice(index)
    forgetToken(of: index, end: end)
  }

  /// Takes an app out of the list of its device.
  private mutating func takeFromDevice(_ index: UInt32) {
    let device = registrations[index].device
    var previous = devices[device].firstRegistration
    if previous == index {
      devices[device].firstRegistration = facts.sibling(of: index)
    } else {
      while facts.sibling(of: previous) != index { previous = facts.sibling(of: previous) }
      facts.setSibling(of: previous, facts.sibling(of: index))
    }
    facts.setSibling(of: index, Registration.none)
  }

  /// Lets a token mean nothing any more; the place of its registration is another's when nothing tells of it.
  /// - Parameter end: notifications from this number on cannot be for it.
  mutating func forgetToken(of index: UInt32, end: UInt64) {
    let registration = registrations[index]
    facts.remove(index)
    lives.forget(index, of: registration.device)
    if registration.flags.contains(.oddToken) {
      oddTokens.take(from: index, app: registration.app)
    } else {
      let rows = registrations.rows
      table.remove(rows.hash(index), place: index) { rows.hash($0) }
    }
    retired.append(.registration(index), end: end)
  }

  /// Removes a device whose apps are gone already.
  /// - Parameter end: notifications from this number on cannot be for it.
  mutating func removeDevice(_ index: UInt32, end: UInt64) {
    for replaced in lives.replaced(of: index) { forgetToken(of: replaced, end: end) }
    lives.forget(device: index)
    names.take(from: index)
    retired.append(.device(index), end: end)
    liveDevices -= 1
  }

  /// Forgets what was removed, as far as nothing tells of it any more.
  /// - Parameters:
  ///   - first: the number of the oldest notification that the history has.
  ///   - most: as much of what was removed is remembered.
  mutating func forgetRemoved(from first: UInt64, most: Int) {
    while let place = retired.next(from: first, most: most) {
      switch place {
      case .registration(let index):
        oddTokens.forget(index)
        registrations.remove(index)
      case .device(let index):
        names.forget(index)
        devices.remove(index)
      }
    }
  }

  /// The lengths in bytes that tokens have.
  var tokenSizes: TokenSizes { oddTokens.sizes }

  /// The devices that have or had the name, as far as the history may tell of them.
  func devices(everNamed name: String) -> [UInt32] {
    (names.device(named: name).map { [$0] } ?? []) + retired.devices.filter { names.name(of: $0) == name }
  }

  func token(of registration: UInt32) -> [UInt8] {
    oddTokens[registration] ?? registrations[registration].token.withBytes { Array($0) }
  }

  /// The apps of a device, latest registered first.
  func registrations(of device: UInt32) -> [UInt32] {
    var found: [UInt32] = []
    var next = devices[device].firstRegistration
    while next != Registration.none {
      found.append(next)
      next = facts.sibling(of: next)
    }
    return found
  }

  func registration(of device: UInt32, app: UInt16) -> UInt32? {
    registrations(of: device).first { registrations[$0].app == app }
  }

  @inline(__always)
  mutating func setOnline(_ device: UInt32, _ isOnline: Bool) { devices[device].isOnline = isOnline }

  /// Notes whether a connection to the device port holds a device online.
  mutating func setConnected(_ device: UInt32, _ isConnected: Bool) {
    devices[device].isConnected = isConnected
  }

  /// Puts an app back on its device, where it registers anew.
  mutating func install(_ index: UInt32, at now: Timestamp) {
    registrations[index].flags.insert(.installed)
    registrations[index].flags.subtract([.disowned, .told, .dead])
    lives.forget(index, of: registrations[index].device)
    facts.disownings[index] = nil
    facts.expirations[index] = nil
    registrations[index].registeredAt = now
  }

  /// Lets all apps have registered, or been removed, at a moment.
  mutating func registerAll(at now: Timestamp) {
    for index in 0..<registrations.count { registrations[index].registeredAt = now }
    lives.endAll(at: now)
  }

  /// True if places of what was removed are remembered.
  var hasRemoved: Bool { !retired.isEmpty }

  /// Takes an app off its device, which says so at the next notification.
  mutating func uninstall(_ index: UInt32) { registrations[index].flags.remove(.installed) }

  // MARK: Dead tokens

  /// The service learns that an app is gone from its device, and its token with it. What the device has said before counts.
  mutating func end(_ index: UInt32, at now: Timestamp) {
    registrations[index].flags.remove(.installed)
    registrations[index].flags.insert(.dead)
    lives.end(index, at: min(now, facts.disownings[index] ?? now))
  }

  /// An app gets another token than this one, which is dead from now on and no app's of the device.
  mutating func replace(_ index: UInt32, at now: Timestamp) {
    end(index, at: now)
    takeFromDevice(index)
    registrations[index].stored = 0
    lives.replace(index, of: registrations[index].device)
  }

  /// Forgets the tokens that were replaced longest ago, until no more than so many are left.
  mutating func forgetReplaced(beyond most: Int, end: UInt64) {
    while lives.replacedCount > most, let oldest = lives.oldestReplaced() {
      forgetToken(of: oldest, end: end)
    }
  }

  /// Notes that the device has said that it does not have the app; the first moment counts.
  mutating func disown(_ index: UInt32, at now: Timestamp) {
    registrations[index].flags.insert(.disowned)
    if facts.disownings[index] == nil { facts.disownings[index] = now }
  }

  /// When the device said that it does not have the app; nil where it has not.
  func disowned(_ index: UInt32) -> Timestamp? { facts.disownings[index] }

  /// When a token expires, or did; nil for one that never does.
  func expiration(of index: UInt32) -> Timestamp? {
    facts.expirations.isEmpty ? nil : facts.expirations[index]
  }

  mutating func expire(_ index: UInt32, at moment: Timestamp?) { facts.expirations[index] = moment }

  /// Notes the position of a registration's tuple in the feedback list of its app.
  mutating func list(_ index: UInt32, at position: UInt64) {
    facts.feedbackPositions[index] = position
    registrations[index].flags.insert(.listed)
  }

  /// Notes that the provider has read that the device does not have the app.
  mutating func noteTold(_ index: UInt32) { registrations[index].flags.insert(.told) }

  @inline(__always)
  mutating func setBadge(_ index: UInt32, _ badge: Int32) { registrations[index].badge = badge }

  /// - Parameter handle: that of the one notification that is stored for a registration; 0 for none.
  @inline(__always)
  mutating func setStored(_ index: UInt32, _ handle: UInt32) { registrations[index].stored = handle }

  /// Puts a delivery at the end of a registration's chain.
  @inline(__always)
  mutating func setLastDelivery(_ index: UInt32, _ ordinal: UInt64) {
    registrations[index].lastDelivery = ordinal
  }

  /// The device whose token has begun to script itself; nil before it has, and for ordinary tokens.
  func magicDevice(of index: UInt32) -> MagicDevice? { facts.magicDevice(of: index) }

  /// The magic of a registration's token begins.
  mutating func beginMagic(of index: UInt32) -> MagicDevice { facts.beginMagic(of: index) }

  /// The magic of a token is over, until it begins again.
  mutating func endMagic(of device: MagicDevice) { facts.endMagic(of: device) }
  func has(_ device: MagicDevice) -> Bool { facts.has(device) }

  /// The position of a registration's tuple in the feedback list of its app; it counts only while the registration
  /// is `listed` or `disowned`.
  func feedbackPosition(of index: UInt32) -> UInt64 { facts.feedbackPositions[index] ?? 0 }
}

extension DeviceRegistry {
  func write(to state: inout StateWriter) {
    state.reserve(Int(registrations.count) * 80 + Int(devices.count) * 12 + names.count * 32)
    registrations.write(to: &state)
    devices.write(to: &state)
    names.write(to: &state)
    oddTokens.write(to: &state)
    facts.write(to: &state)
    languages.write(to: &state)
    retired.write(to: &state)
  }

  /// - Parameters:
  ///   - apps: the number of apps that there are.
  ///   - lives: what is known of dead tokens.
  init(reading state: inout StateReader, apps: Int, lives: TokenLives = TokenLives()) throws(StateError) {
    let free = try state.freePlaces(of: Registration.self)
    registrations = try Slab(reading: &state)
    let freeDevices = try state.freePlaces(of: Device.self)
    devices = try Slab(reading: &state)
    let count = registrations.count
    names = try DeviceNames(reading: &state, devices: devices.count)
    oddTokens = try OddTokens(reading: &state, registrations: count)
    facts = try RareFacts(reading: &state, below: count)
    languages = try state.read()
    try state.expect(languages.keys, below: devices.count)
    retired = try RetiredPlaces(reading: &state)
    let places = try RestoredPlaces(count, free, devices.count, freeDevices, retired, state)
    liveDevices = places.liveDevices
    self.lives = lives
    let tokens = try places.tokens(registrations, devices, facts, &self.lives, apps: apps, state)
    table = try HashTable.ofTokens(tokens, registrations, oddTokens, places, state)
  }
}
