package import APNSimWire

/// A channel, told apart from those of other apps.
struct ChannelKey: Hashable {
  let app: AppKey
  let id: String
}

/// A broadcast channel: an identifier and a policy, which never change, and who is subscribed.
struct Channel {
  let key: ChannelKey
  let storagePolicy: ChannelDescription.StoragePolicy
  let created: Timestamp
  /// The registrations that are subscribed, in order.
  fileprivate(set) var subscribers: [UInt32] = []
  /// Broadcasts that were accepted, and how often one reached a device.
  var published: UInt64 = 0
  var delivered: UInt64 = 0
  /// The most recent message, kept for devices that were offline when it came.
  var message: Message?

  struct Message {
    /// The number of its notification.
    let number: UInt64
    let payload: [UInt8]
    /// When it is given up.
    let until: Timestamp
    let endsByExpiry: Bool
    /// The registrations that have still to get it, in order.
    var waiting: [UInt32]
    /// No device has got it.
    var isUndelivered: Bool
  }

  init(_ key: ChannelKey, _ policy: ChannelDescription.StoragePolicy, at now: Timestamp) {
    (self.key, storagePolicy, created) = (key, policy, now)
  }
}

extension Channel {
  /// - Returns: false where it is subscribed already.
  mutating func subscribe(_ registration: UInt32) -> Bool { subscribers.insertInOrder(registration) }

  /// - Returns: false where it was not subscribed.
  mutating func unsubscribe(_ registration: UInt32) -> Bool {
    _ = message?.waiting.removeInOrder(registration)
    return subscribers.removeInOrder(registration)
  }
}

extension [UInt32] {
  /// The place of a number, or the one where it would stand.
  private func place(of number: UInt32) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func hasInOrder(_ number: UInt32) -> Bool {
    let place = place(of: number)
    return place < count && self[place] == number
  }

  /// - Returns: false where it is there already.
  mutating func insertInOrder(_ number: UInt32) -> Bool {
    let place = place(of: number)
    guard place == count || self[place] != number else { return false }
    insert(number, at: place)
    return true
  }

  /// - Returns: false where it was not there.
  mutating func removeInOrder(_ number: UInt32) -> Bool {
    let place = place(of: number)
    guard place < count, self[place] == number else { return false }
    remove(at: place)
    return true
  }
}

/// A channel as people and programs look at it.
package struct ChannelView: Hashable, Sendable {
  package var id: String
  package var app: AppKey
  package var storagePolicy: ChannelDescription.StoragePolicy
  package var created: Timestamp
  /// The names of the first devices that are subscribed, and the number of all.
  package var subscribers: [String]
  package var subscriberCount: Int
  package var published: UInt64
  package var delivered: UInt64
  /// The number of the notification that waits for devices, and until when.
  package var stored: UInt64?
  package var until: Timestamp?
  /// The number to go on after, in the order in which channels were created.
  package var place: UInt32

  /// As many subscribers are named.
  static let mostNames = 1000

  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", id)
    app.writeMembers(to: &writer)
    writer.member("storagePolicy", storagePolicy.rawValue)
    writer.member("createdAt", created.description)
    writer.member("subscribers", subscribers)
    writer.member("subscriberCount", subscriberCount)
    writer.member("published", published)
    writer.member("delivered", delivered)
    writer.member("stored", stored.map { "n\($0)" })
    writer.member("until", until?.description)
  }
}

extension Channel {
  func write(to state: inout StateWriter) {
    key.app.write(to: &state)
    key.id.write(to: &state)
    storagePolicy.write(to: &state)
    created.write(to: &state)
    state.write(places: subscribers)
    state.write(raw: published)
    state.write(raw: delivered)
    (message != nil).write(to: &state)
    message?.write(to: &state)
  }

  /// - Parameter registrations: the number of places that there are for registrations.
  init(reading state: inout StateReader, registrations: UInt32) throws(StateError) {
    let app = try AppKey(reading: &state)
    let key = ChannelKey(app: app, id: try state.read())
    let policy = try ChannelDescription.StoragePolicy(reading: &state)
    self.init(key, policy, at: try state.read())
    subscribers = try state.places(below: registrations)
    published = try state.counted()
    delivered = try state.counted()
    message = try Bool(reading: &state) ? try Message(reading: &state, registrations: registrations) : nil
  }
}

extension Channel.Message {
  fileprivate func write(to state: inout StateWriter) {
    state.write(raw: number)
    state.write(payload)
    until.write(to: &state)
    endsByExpiry.write(to: &state)
    state.write(places: waiting)
    isUndelivered.write(to: &state)
  }

  fileprivate init(reading state: inout StateReader, registrations: UInt32) throws(StateError) {
    try self.init(
      number: state.read(),
      payload: Array(state.bytes()),
      until: state.read(),
      endsByExpiry: state.read(),
      waiting: state.places(below: registrations),
      isUndelivered: state.read()
    )
  }
}
