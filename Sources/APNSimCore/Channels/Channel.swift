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
  fileprivate(set) var subscribers: [UInt32]
  /// Broadcasts that were accepted, and how often one reached a device.
  var published: UInt64
  var delivered: UInt64
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

  init(
    _ key: ChannelKey,
    _ policy: ChannelDescription.StoragePolicy,
    at now: Timestamp,
    _ subscribers: [UInt32] = [],
    published: UInt64 = 0,
    delivered: UInt64 = 0,
    _ message: Message? = nil
  ) {
    (self.key, storagePolicy, created, self.subscribers) = (key, policy, now, subscribers)
    (self.published, self.delivered, self.message) = (published, delivered, message)
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
}

extension ChannelView: JSONObject {
  package static let shape = JSONShape<Self>("Channel", "A broadcast channel.") {
    $0.member("id", "In Base64.") { $0.id }
    $0.members { $0.app }
    $0.member("storagePolicy", "0 stores no message, 1 the most recent one.", .least(0), .most(1)) {
      $0.storagePolicy.rawValue
    }
    $0.member("createdAt") { $0.created }
    $0.list("subscribers", "The names of the first 1,000 devices that are subscribed.", counts: 0...mostNames)
    {
      $0.subscribers
    }
    $0.member("subscriberCount", "All of them.", .least(0)) { $0.subscriberCount }
    $0.member("published", "Broadcasts that were accepted.") { $0.published }
    $0.member("delivered", "How often one reached a device.") { $0.delivered }
    $0.member("stored", "The notification that waits for devices that were offline.") {
      $0.stored.map { NotificationNumber($0) }
    }
    $0.member("until", "When it is given up.") { $0.until }
  }
}

extension ChannelKey: KeptByMembers {
  static let members = Members(Self.init, \.app, \.id)
}

extension Channel: KeptByMembers {
  static let members = Members(
    { Self($0, $1, at: $2, $3.places, published: $4, delivered: $5, $6) },
    \.key,
    \.storagePolicy,
    \.created,
    \.keptSubscribers,
    \.published,
    \.delivered,
    \.message
  )

  private var keptSubscribers: KeptPlaces { KeptPlaces(subscribers) }

  func complete(_ state: StateReader) throws(StateError) { try state.expectCounted(published, delivered) }
}

extension Channel.Message: KeptByMembers {
  static let members = Members(
    { Self(number: $0, payload: $1, until: $2, endsByExpiry: $3, waiting: $4.places, isUndelivered: $5) },
    \.number,
    \.payload,
    \.until,
    \.endsByExpiry,
    \.keptWaiting,
    \.isUndelivered
  )

  private var keptWaiting: KeptPlaces { KeptPlaces(waiting) }
}
