internal import APNSimWire

/// What the tokens of one batch of frames mean, looked up ahead of their turn.
///
/// With tens of thousands of devices each step of a lookup (slot, registration, device) waits for memory, together
/// far longer than everything else that is done for a notification takes. So each step is done some frames ahead of
/// the next one, asks for the memory that the next one needs, and the waits lie behind the work on other frames.
struct TokenLookup: ~Copyable {
  /// As many frames as a batch can have.
  static var capacity: Int { 128 }
  /// By how many frames each step is ahead of the one behind it.
  static var lead: Int { 8 }

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

  /// The frames of a batch, and the app that their tokens are for.
  struct Batch {
    var frames: UnsafeBufferPointer<JudgedFrame>
    var buffer: UnsafeRawBufferPointer
    var app: UInt16
  }

  /// The registration of the frame at `index`, `Registration.none` where there was none shortly before its turn.
  @inline(__always)
  func place(_ index: Int) -> UInt32 { index < Self.capacity ? places[index] : Registration.none }

  /// The first frames' part of what ``prepare(behind:of:_:_:_:)`` does for the others.
  func begin(
    _ batch: Batch,
    _ table: borrowing HashTable,
    _ registrations: borrowing Slab<Registration>,
    _ devices: borrowing Slab<Device>
  ) {
    for index in -3 * Self.lead..<0 { prepare(behind: index, of: batch, table, registrations, devices) }
  }

  /// Takes the frames that come after the one at `index` a step further.
  @inline(__always)
  func prepare(
    behind index: Int,
    of batch: Batch,
    _ table: borrowing HashTable,
    _ registrations: borrowing Slab<Registration>,
    _ devices: borrowing Slab<Device>
  ) {
    let end = min(batch.frames.count, Self.capacity)
    let hashed = index &+ 3 &* Self.lead
    if hashed >= 0, hashed < end {
      // A frame of another kind leaves the hash of an earlier one, whose place will not have its token.
      if let token = Self.token(batch, hashed) { hashes[hashed] = DeviceToken(token).hash(app: batch.app) }
      table.prefetch(hashes[hashed])
    }
    let guessed = index &+ 2 &* Self.lead
    if guessed >= 0, guessed < end {
      places[guessed] = table.candidate(hashes[guessed])
      if places[guessed] != Registration.none { registrations.prefetch(places[guessed]) }
    }
    let checked = index &+ Self.lead
    if checked >= 0, checked < end, places[checked] != Registration.none {
      let place = places[checked]
      if let token = Self.token(batch, checked), registrations[place].app == batch.app,
        registrations[place].token.equals(token)
      {
        devices.prefetch(registrations[place].device)
      } else {
        places[checked] = Registration.none
      }
    }
  }

  @inline(__always)
  private static func token(_ batch: Batch, _ index: Int) -> UnsafeRawPointer? {
    let token = batch.frames[index].frame.token(in: batch.buffer)
    guard batch.frames[index].failed == .none, token.count == DeviceToken.byteCount else { return nil }
    return token.baseAddress
  }
}
