/// The notifications that wait for apps beside the last one, each under its collapse identifier; the store has them.
struct CollapsedNotifications {
  struct Entry {
    let identifier: [UInt8]
    let handle: UInt32
  }

  /// The identifiers of an app on a device; past it, what waits longest makes room.
  static let mostPerApp = 100

  private var entries: [UInt32: [Entry]] = [:]

  /// The notifications that wait for a registration, the oldest first.
  subscript(registration: UInt32) -> [Entry] { entries[registration] ?? [] }

  func has(_ registration: UInt32) -> Bool { !entries.isEmpty && entries[registration] != nil }

  /// Adds what waits as the newest.
  mutating func add(_ entry: Entry, to registration: UInt32) {
    entries[registration, default: []].append(entry)
  }

  /// Takes what waits under an identifier, or the oldest where there is room for no more.
  mutating func make(roomFor identifier: [UInt8], of registration: UInt32) -> UInt32? {
    guard var list = entries[registration] else { return nil }
    let place = list.firstIndex { $0.identifier == identifier } ?? (list.count >= Self.mostPerApp ? 0 : nil)
    guard let place else { return nil }
    let entry = list.remove(at: place)
    entries[registration] = list.isEmpty ? nil : list
    return entry.handle
  }

  /// Takes everything that waits for a registration, the oldest first.
  mutating func takeAll(of registration: UInt32) -> [UInt32] {
    entries.isEmpty ? [] : (entries.removeValue(forKey: registration) ?? []).map(\.handle)
  }

  /// Takes everything that waits for a registration, to give it to another one.
  mutating func takeEntries(of registration: UInt32) -> [Entry] {
    entries.removeValue(forKey: registration) ?? []
  }

  /// Takes what a test is true for.
  mutating func take(of registration: UInt32, where isMeant: (UInt32) -> Bool) -> [UInt32] {
    guard let list = entries[registration] else { return [] }
    let left = list.filter { !isMeant($0.handle) }
    entries[registration] = left.isEmpty ? nil : left
    return list.map(\.handle).filter(isMeant)
  }
}

extension CollapsedNotifications.Entry: KeptByMembers {
  static let members = Members(Self.init, \.identifier, \.handle)
}

extension CollapsedNotifications: KeptByMembers {
  static let members = Members(Self.init, \.entries)

  func complete(_ state: StateReader) throws(StateError) {
    for list in entries.values {
      guard (1...Self.mostPerApp).contains(list.count) else {
        throw state.error(
          "1 to \(Self.mostPerApp) notifications were expected to wait, and \(list.count) found"
        )
      }
      guard list.allSatisfy({ $0.handle != 0 }) else {
        throw state.error("a stored notification was expected")
      }
    }
  }

  /// - Parameters:
  ///   - registrations: there are places of registrations below it.
  ///   - store: what has the notifications.
  init(
    reading state: inout StateReader,
    registrations: UInt32,
    store: borrowing StoredNotifications
  ) throws(StateError) {
    try self.init(reading: &state)
    try state.expect(entries.keys, below: registrations)
    for list in entries.values {
      for entry in list { try store.check(entry.handle, state) }
    }
  }
}
