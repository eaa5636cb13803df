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

  /// What is under way in a place.
  subscript(place: UInt32) -> Entry { entries[place] }

  mutating func take(_ place: UInt32) -> Entry {
    defer { entries.remove(place) }
    count -= 1
    return entries[place]
  }
}
