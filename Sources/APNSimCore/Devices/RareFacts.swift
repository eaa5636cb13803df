/// Facts that few registrations have, kept beside them so that the others stay within one line of cache.
struct RareFacts {
  /// The number by which a magic token is known since it began to script itself.
  private var magicSerials: [UInt32: UInt32] = [:]
  private var lastMagic: UInt32 = 0
  /// The positions of tuples in the feedback lists of their apps.
  var feedbackPositions: [UInt32: UInt64] = [:]
  /// The next app of the same device.
  private var siblings: [UInt32: UInt32] = [:]
  /// The moments at which devices said that they do not have the app, since that registered last.
  var disownings: [UInt32: Timestamp] = [:]
  /// The moments at which tokens expire, or did, of those that ever do.
  var expirations: [UInt32: Timestamp] = [:]

  /// Forgets all facts of a registration.
  mutating func remove(_ index: UInt32) {
    siblings[index] = nil
    magicSerials[index] = nil
    feedbackPositions[index] = nil
    disownings[index] = nil
    expirations[index] = nil
  }

  func sibling(of index: UInt32) -> UInt32 { siblings[index] ?? Registration.none }

  mutating func setSibling(of index: UInt32, _ sibling: UInt32) {
    if sibling != Registration.none {
      siblings[index] = sibling
    } else if !siblings.isEmpty {
      siblings[index] = nil
    }
  }

  func magicDevice(of index: UInt32) -> MagicDevice? {
    magicSerials[index].map { MagicDevice(registration: index, serial: $0) }
  }

  mutating func beginMagic(of index: UInt32) -> MagicDevice {
    lastMagic &+= 1
    magicSerials[index] = lastMagic
    return MagicDevice(registration: index, serial: lastMagic)
  }

  mutating func endMagic(of device: MagicDevice) {
    if has(device) { magicSerials[device.registration] = nil }
  }

  func has(_ device: MagicDevice) -> Bool { magicSerials[device.registration] == device.serial }
}

extension RareFacts: KeptByMembers {
  static let members = Members(
    Self.init,
    \.magicSerials,
    \.lastMagic,
    \.feedbackPositions,
    \.siblings,
    \.disownings,
    \.expirations
  )

  /// - Parameter count: the number of places of registrations.
  init(reading state: inout StateReader, below count: UInt32) throws(StateError) {
    try self.init(reading: &state)
    try state.expect(magicSerials.keys, below: count)
    try state.expect(feedbackPositions.keys, below: count)
    try state.expect(siblings.keys, below: count)
    try state.expect(disownings.keys, below: count)
    try state.expect(expirations.keys, below: count)
  }
}
