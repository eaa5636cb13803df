import APNSimWire
import DequeModule

/// The channels of every app, each at a place that no other ever has, within bounds.
struct ChannelBook {
  private var channels: [UInt32: Channel] = [:]
  private var places: [ChannelKey: UInt32] = [:]
  /// The channels of each app, in the order in which they were created.
  private var byApp: [AppKey: [UInt32]] = [:]
  /// The channels that each registration is subscribed to, in order.
  private var subscriptions: [UInt32: [UInt32]] = [:]
  /// The bundle IDs that may not broadcast.
  private var silent: Set<ExactText> = []
  private var identifiers = ChannelIdentifiers()
  /// The place of the channel that was created last.
  private(set) var lastPlace: UInt32 = 0
  private(set) var subscriptionCount = 0
  /// Bytes of the messages that wait, and their channels in the order in which they came, some of them gone.
  private var messageBytes = 0
  private var messages: Deque<WaitingMessage> = []
  private var mostOfApp: Int

  struct WaitingMessage {
    let place: UInt32
    let number: UInt64
  }

  /// The most channels of all apps together.
  static let mostChannels = 100_000
  /// The most subscriptions, of all devices and of one app on a device.
  static let mostSubscriptions = 1_000_000
  static let mostOfRegistration = 1000
  /// The most bytes of messages that wait; past it the oldest make way.
  static let mostMessageBytes = 64 << 20
  /// The longest that a message waits (DOC).
  static let storagePeriod = TimeSpan.hours(8)

  /// - Parameter silent: the bundle IDs that may not broadcast.
  init(limits: Limits, silent: [String]) {
    mostOfApp = limits.channels
    self.silent = Set(silent.map { ExactText($0) })
  }

  // MARK: Looking

  subscript(place: UInt32) -> Channel? { channels[place] }

  var count: Int { channels.count }
  var hasSubscriptions: Bool { subscriptionCount > 0 }

  func place(of key: ChannelKey) -> UInt32? { places[key] }

  /// The places of an app's channels, in the order in which they were created.
  func places(of app: AppKey) -> [UInt32] { byApp[app] ?? [] }

  /// All places, in the order in which the channels were created.
  var allPlaces: [UInt32] { channels.keys.sorted() }

  /// The places of the channels of this identifier, whatever their apps.
  func places(ofID id: String) -> [UInt32] { allPlaces.filter { channels[$0]?.key.id == id } }

  /// The channels that a registration is subscribed to, in the order in which they were created.
  func places(subscribedBy registration: UInt32) -> [UInt32] { subscriptions[registration] ?? [] }

  func mayBroadcast(_ bundleId: String) -> Bool { silent.isEmpty || !silent.contains(ExactText(bundleId)) }

  /// True if an app has room for another channel.
  func hasRoom(for app: AppKey) -> Bool {
    channels.count < Self.mostChannels && (byApp[app]?.count ?? 0) < mostOfApp
  }

  /// - Parameter others: subscriptions that come before it.
  func hasRoom(forSubscriptionOf registration: UInt32, after others: Int = 0) -> Bool {
    subscriptionCount + others < Self.mostSubscriptions
      && (subscriptions[registration]?.count ?? 0) < Self.mostOfRegistration
  }

  // MARK: Changing

  /// An identifier that no channel has or had.
  mutating func makeIdentifier(at now: Timestamp, node: UInt64) -> String {
    identifiers.next(at: now, node: node)
  }

  /// Adds a channel of an identifier that its app does not have, where there is room.
  mutating func add(_ channel: Channel) -> UInt32 {
    lastPlace += 1
    channels[lastPlace] = channel
    places[channel.key] = lastPlace
    byApp[channel.key.app, default: []].append(lastPlace)
    return lastPlace
  }

  /// Removes a channel with its subscriptions.
  mutating func remove(_ place: UInt32) {
    discardMessage(place)
    guard let channel = channels.removeValue(forKey: place) else { return }
    places[channel.key] = nil
    byApp[channel.key.app]?.removeAll { $0 == place }
    if byApp[channel.key.app]?.isEmpty == true { byApp[channel.key.app] = nil }
    for registration in channel.subscribers { forget(place, of: registration) }
    subscriptionCount -= channel.subscribers.count
  }

  /// - Returns: false where it is subscribed already.
  mutating func subscribe(_ registration: UInt32, to place: UInt32) -> Bool {
    guard channels[place]?.subscribe(registration) == true else { return false }
    _ = subscriptions[registration, default: []].insertInOrder(place)
    subscriptionCount += 1
    return true
  }

  /// - Returns: false where it was not subscribed.
  mutating func unsubscribe(_ registration: UInt32, from place: UInt32) -> Bool {
    guard channels[place]?.unsubscribe(registration) == true else { return false }
    forget(place, of: registration)
    subscriptionCount -= 1
    return true
  }

  /// Ends all subscriptions of a registration.
  /// - Returns: the places of the channels.
  @discardableResult
  mutating func unsubscribe(_ registration: UInt32) -> [UInt32] {
    guard subscriptionCount > 0, let places = subscriptions[registration] else { return [] }
    for place in places { _ = unsubscribe(registration, from: place) }
    return places
  }

  private mutating func forget(_ place: UInt32, of registration: UInt32) {
    _ = subscriptions[registration]?.removeInOrder(place)
    if subscriptions[registration]?.isEmpty == true { subscriptions[registration] = nil }
  }

  mutating func setBroadcast(_ bundleId: String, _ isOn: Bool) {
    if isOn { silent.remove(ExactText(bundleId)) } else { silent.insert(ExactText(bundleId)) }
  }

  // MARK: Broadcasts

  mutating func notePublished(_ place: UInt32, delivered: Int) {
    channels[place]?.published += 1
    channels[place]?.delivered += UInt64(delivered)
  }

  /// Keeps a message in place of the one before, which has been taken.
  /// - Returns: the places of channels whose messages make way for it.
  mutating func keep(_ message: Channel.Message, on place: UInt32) -> [UInt32] {
    messageBytes += message.payload.count
    messages.append(WaitingMessage(place: place, number: message.number))
    channels[place]?.message = message
    var others: [UInt32] = []
    var excess = messageBytes - Self.mostMessageBytes
    while excess > 0, let oldest = messages.first, oldest.place != place {
      messages.removeFirst()
      guard let other = channels[oldest.place]?.message, other.number == oldest.number else { continue }
      excess -= other.payload.count
      others.append(oldest.place)
    }
    if messages.count > 1024, messages.count > 4 * channels.count {
      messages.removeAll { channels[$0.place]?.message?.number != $0.number }
    }
    return others
  }

  /// Takes the message that waits on a channel.
  mutating func takeMessage(_ place: UInt32) -> Channel.Message? {
    defer { discardMessage(place) }
    return channels[place]?.message
  }

  private mutating func discardMessage(_ place: UInt32) {
    guard let message = channels[place]?.message else { return }
    messageBytes -= message.payload.count
    channels[place]?.message = nil
  }

  /// The message of a channel that waits for a registration, which gets it now.
  mutating func takeMessage(_ place: UInt32, for registration: UInt32) -> (Channel.Message, isFirst: Bool)? {
    guard let message = channels[place]?.message, message.waiting.hasInOrder(registration) else { return nil }
    _ = channels[place]?.message?.waiting.removeInOrder(registration)
    channels[place]?.message?.isUndelivered = false
    channels[place]?.delivered += 1
    return (message, message.isUndelivered)
  }
}

// The channels by key, by app and by subscriber follow from the channels in their order.
extension ChannelBook: KeptByMembers {
  static let members = Members(
    checked: Self.init,
    \.channels,
    \.silent,
    \.identifiers,
    \.lastPlace,
    \.messages
  )

  private init(
    _ state: StateReader,
    _ channels: [UInt32: Channel],
    _ silent: Set<ExactText>,
    _ identifiers: ChannelIdentifiers,
    _ lastPlace: UInt32,
    _ messages: Deque<WaitingMessage>
  ) throws(StateError) {
    self.init(limits: Limits(), silent: [])
    (self.channels, self.silent, self.identifiers) = (channels, silent, identifiers)
    (self.lastPlace, self.messages) = (lastPlace, messages)
    for place in allPlaces {
      guard let channel = channels[place] else { continue }
      guard places.updateValue(place, forKey: channel.key) == nil else {
        throw state.error("an app has two channels of the identifier \(channel.key.id)")
      }
      byApp[channel.key.app, default: []].append(place)
      for registration in channel.subscribers { subscriptions[registration, default: []].append(place) }
      subscriptionCount += channel.subscribers.count
      messageBytes += channel.message?.payload.count ?? 0
    }
    try state.expectCounted(lastPlace)
    if let last = channels.keys.max(), last > lastPlace {
      throw state.error("the last channel is \(lastPlace), and there is \(last)")
    }
  }

  /// - Parameter registrations: the number of places that there are for registrations.
  init(reading state: inout StateReader, limits: Limits, registrations: UInt32) throws(StateError) {
    try self.init(reading: &state)
    mostOfApp = limits.channels
    for channel in channels.values {
      try state.expect(channel.subscribers, below: registrations)
      try state.expect(channel.message?.waiting ?? [], below: registrations)
    }
  }
}

extension ChannelBook.WaitingMessage: KeptByMembers {
  static let members = Members(Self.init, \.place, \.number)
}
