/// A map that forgets what has not been looked up for longest: it has at least the last `count` entries that were in use,
/// and at most twice as many.
struct RecentMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let count: Int
  private var recent: [Key: Value] = [:]
  private var older: [Key: Value] = [:]

  init(count: Int) { self.count = max(1, count) }

  /// The value of a key, which is in use by that.
  mutating func value(of key: Key) -> Value? {
    if let value = recent[key] { return value }
    guard let value = older.removeValue(forKey: key) else { return nil }
    insert(value, for: key)
    return value
  }

  mutating func insert(_ value: Value, for key: Key) {
    if recent.count >= count { (older, recent) = (recent, [:]) }
    recent[key] = value
  }
}
