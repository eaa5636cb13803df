import APNSimWire

/// The tokens of one batch, in the order in which they get their turn.
protocol TokenBatch {
  var count: Int { get }
  /// The app that the token at `index` is for.
  func app(at index: Int) -> UInt16
  /// The token at `index`; nil where there is none to be looked up ahead, or one of another length than 32 bytes.
  func token(at index: Int) -> UnsafeRawPointer?
}

/// The registrations that the tokens of one batch mean, looked up ahead of their turn.
///
/// With tens of thousands of devices each step of a lookup (slot, registration, device) waits for memory, together
/// far longer than everything else that is done for a notification takes. So each step is done some tokens ahead of
/// the next one and asks for the memory that the next one needs, and the waits pass during the work on other tokens.
struct TokenLookup: ~Copyable {
  /// The most tokens that a batch can have.
  static var capacity: Int { 128 }
  /// By how many tokens each step is ahead of the one after it.
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

  /// The registration of the token at `index`, `Registration.none` where there was none shortly before its turn.
  @inline(__always)
  func place(_ index: Int) -> UInt32 { index < Self.capacity ? places[index] : Registration.none }

  /// Does for the first tokens what ``prepare(after:of:_:_:_:)`` does for the others.
  @inline(__always)
  func begin(
    _ batch: some TokenBatch,
    _ table: borrowing HashTable,
    _ registrations: borrowing Slab<Registration>,
    _ devices: borrowing Slab<Device>
  ) {
    for index in -3 * Self.lead..<0 { prepare(after: index, of: batch, table, registrations, devices) }
  }

  /// Takes the tokens that come after the one at `index` a step further.
  @inline(__always)
  func prepare(
    after index: Int,
    of batch: some TokenBatch,
    _ table: borrowing HashTable,
    _ registrations: borrowing Slab<Registration>,
    _ devices: borrowing Slab<Device>
  ) {
    let end = min(batch.count, Self.capacity)
    let hashed = index &+ 3 &* Self.lead
    if hashed >= 0, hashed < end {
      // One of another kind leaves the hash of an earlier one, whose place will not have its token.
      if let token = batch.token(at: hashed) {
        hashes[hashed] = DeviceToken(token).hash(app: batch.app(at: hashed))
      }
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
      if let token = batch.token(at: checked), registrations[place].app == batch.app(at: checked),
        registrations[place].token.equals(token)
      {
        devices.prefetch(registrations[place].device)
      } else {
        places[checked] = Registration.none
      }
    }
  }
}
