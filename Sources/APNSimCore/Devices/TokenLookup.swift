internal import APNSimWire

/// What the tokens of one batch of frames mean, looked up together.
///
/// With tens of thousands of devices each step of a lookup (slot, registration, device) waits for memory, three times
/// as long as everything else that is done for a notification. Taken step by step for the whole batch, with the
/// next step's memory asked for ahead, the waits overlap.
struct TokenLookup: ~Copyable {
  /// As many frames as a batch can have.
  static var capacity: Int { 128 }

  private let hashes: UnsafeMutablePointer<UInt64>
  private let places: UnsafeMutablePointer<UInt32>

  init() {
    hashes = .allocate(capacity: Self.capacity)
    places = .allocate(capacity: Self.capacity)
    hashes.initialize(repeating: 0, count: Self.capacity)
    places.initialize(repeating: Registration.none, count: Self.capacity)
  }

  deinit {
    hashes.deallocate()
    places.deallocate()
  }

  /// The registration of the frame at `index`, `Registration.none` where the table had none when the batch began.
  @inline(__always)
  func place(_ index: Int) -> UInt32 { index < Self.capacity ? places[index] : Registration.none }

  /// Finds what it can: tokens of 32 bytes in frames whose structure is right.
  mutating func find(
    _ frames: UnsafeBufferPointer<JudgedFrame>,
    in buffer: UnsafeRawBufferPointer,
    app: UInt16,
    _ table: borrowing HashTable,
    _ registrations: borrowing Slab<Registration>,
    _ devices: borrowing Slab<Device>
  ) {
    let count = min(frames.count, Self.capacity)
    for index in 0..<count {
      guard let token = Self.token(of: frames[index], in: buffer) else { continue }
      let hash = DeviceToken(token).hash(app: app)
      hashes[index] = hash
      table.prefetch(hash)
    }
    for index in 0..<count {
      places[index] = table.candidate(hashes[index])
      if places[index] != Registration.none { registrations.prefetch(places[index]) }
    }
    for index in 0..<count where places[index] != Registration.none {
      guard let token = Self.token(of: frames[index], in: buffer) else {
        places[index] = Registration.none
        continue
      }
      let place = places[index]
      if registrations[place].app == app, registrations[place].token.equals(token) {
        devices.prefetch(registrations[place].device)
      } else {
        places[index] = Registration.none
      }
    }
  }

  @inline(__always)
  private static func token(
    of judged: JudgedFrame,
    in buffer: UnsafeRawBufferPointer
  ) -> UnsafeRawPointer? {
    let token = judged.frame.token
    guard judged.failed == .none, token.count == DeviceToken.byteCount else { return nil }
    return UnsafeRawBufferPointer(rebasing: buffer[token]).baseAddress
  }
}
