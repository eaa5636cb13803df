/// Notifications under way to devices whose tokens let them take their time; the store has their payloads.
struct UnderwayNotifications: ~Copyable {
  struct Entry: BitwiseCopyable {
    /// The device it goes to. The place of its registration may have been taken by another one on arrival.
    var device: MagicDevice
    var app: UInt16
    /// The token, which has the usual length like every magic one.
    var token: DeviceToken
    var expiry: Expiry
    /// Its place in the store.
    var handle: UInt32
  }

  private var entries = Slab<Entry>()
  private(set) var count = 0

  /// The place of one more; nil when there is none.
  mutating func insert(_ entry: Entry) -> UInt32? {
    guard let place = entries.insert(entry) else { return nil }
    count += 1
    return place
  }

  /// The notification that is under way in a place.
  subscript(place: UInt32) -> Entry { entries[place] }

  mutating func take(_ place: UInt32) -> Entry {
    defer { entries.remove(place) }
    count -= 1
    return entries[place]
  }
}

extension UnderwayNotifications {
  func write(to state: inout StateWriter) {
    entries.write(to: &state)
    state.write(count: count)
  }

  /// - Parameters:
  ///   - apps: how many apps there are.
  ///   - store: what has the payloads.
  init(
    reading state: inout StateReader,
    apps: Int,
    store: borrowing StoredNotifications
  ) throws(StateError) {
    entries = try Slab(reading: &state)
    let under = try state.raw(UInt64.self)
    guard under <= UInt64(entries.count) else {
      throw state.error("at most \(entries.count) under way were expected, and \(under) found")
    }
    count = Int(under)
    // Notifications that have arrived stay as they were until others take their places.
    for place in 0..<entries.count {
      guard Int(entries[place].app) < apps, entries[place].handle != 0 else {
        throw state.error("what is under way in place \(place) is for no app, or nowhere")
      }
      try store.check(entries[place].handle, state)
    }
  }

  /// The number of places: those of deadlines are below it.
  var places: UInt32 { entries.count }
}
