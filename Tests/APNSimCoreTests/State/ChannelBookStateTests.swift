import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Channels that are kept` {
  private static let apps = [PushEnvironment.sandbox, .production].map {
    AppKey(topic: "com.example.sim", environment: $0)
  }
  private static let now = Moment.start

  private static func message(_ number: UInt64, waiting: [UInt32]) -> Channel.Message {
    Channel.Message(
      number: number,
      payload: Array(#"{"aps":{}}"#.utf8),
      until: now + .hours(1),
      endsByExpiry: number % 2 == 0,
      waiting: waiting,
      isUndelivered: true
    )
  }

  /// Channels of two apps, of which some are gone; subscribers, and messages that wait or waited.
  static func book(_ count: Int = 12) -> ChannelBook {
    var book = ChannelBook(limits: Limits(), silent: ["com.example.silent", "com.example.quiet"])
    for place in 0..<count {
      let id = book.makeIdentifier(at: now, node: UInt64(place))
      let key = ChannelKey(app: apps[place % 2], id: id)
      let added = book.add(Channel(key, place % 3 == 0 ? .none : .mostRecent, at: now))
      for registration in 0..<UInt32(place) { _ = book.subscribe(40 - 3 * registration, to: added) }
      _ = book.keep(message(UInt64(place + 1), waiting: [7, 40]), on: added)
      book.notePublished(added, delivered: place)
    }
    for place: UInt32 in [2, 5] { book.remove(place) }
    _ = book.takeMessage(3)
    _ = book.takeMessage(4, for: 40)
    _ = book.unsubscribe(37, from: 6)
    book.unsubscribe(34)
    return book
  }

  private static func bytes(_ book: ChannelBook) -> [UInt8] { StateBytes.of { book.write(to: &$0) } }

  private static func read(_ bytes: [UInt8], registrations: UInt32 = 41) throws -> ChannelBook {
    try StateBytes.read(bytes) {
      try ChannelBook(reading: &$0, limits: Limits(), registrations: registrations)
    }
  }

  @Test func `channels that are kept are found by app, identifier and subscriber`() throws {
    let book = Self.book()
    let known = try Self.read(Self.bytes(book))
    #expect(known.allPlaces == book.allPlaces && known.lastPlace == book.lastPlace)
    #expect(known.subscriptionCount == book.subscriptionCount && known.hasSubscriptions)
    for app in Self.apps { #expect(known.places(of: app) == book.places(of: app)) }
    for registration: UInt32 in 0..<41 {
      #expect(known.places(subscribedBy: registration) == book.places(subscribedBy: registration))
    }
    for place in book.allPlaces {
      let (channel, meant) = (try #require(known[place]), try #require(book[place]))
      #expect(channel.key == meant.key && channel.storagePolicy == meant.storagePolicy)
      #expect(known.place(of: channel.key) == place)
      #expect(channel.published == meant.published && channel.delivered == meant.delivered)
      #expect(channel.message?.waiting == meant.message?.waiting)
      #expect(channel.message?.isUndelivered == meant.message?.isUndelivered)
    }
    for bundleId in ["com.example.silent", "com.example.quiet", "com.example.sim"] {
      #expect(known.mayBroadcast(bundleId) == book.mayBroadcast(bundleId))
    }
  }

  @Test func `channels that are kept go on with identifiers, places and messages`() throws {
    var book = Self.book()
    var known = try Self.read(Self.bytes(book))
    let id = book.makeIdentifier(at: Self.now, node: 5)
    #expect(known.makeIdentifier(at: Self.now, node: 5) == id)
    let channel = Channel(ChannelKey(app: Self.apps[0], id: id), .mostRecent, at: Self.now)
    let place = book.add(channel)
    #expect(known.add(channel) == place)
    // A message so large that the oldest make way.
    let large = Channel.Message(
      number: 100,
      payload: [UInt8](repeating: 0, count: ChannelBook.mostMessageBytes),
      until: Self.now,
      endsByExpiry: false,
      waiting: [],
      isUndelivered: false
    )
    let others = book.keep(large, on: place)
    #expect(known.keep(large, on: place) == others && !others.isEmpty)
    for other in others + [place] {
      let message = book.takeMessage(other)
      #expect(known.takeMessage(other)?.number == message?.number)
    }
    #expect(known.unsubscribe(40) == book.unsubscribe(40))
    known.setBroadcast("com.example.quiet", true)
    book.setBroadcast("com.example.quiet", true)
    #expect(Self.bytes(known) == Self.bytes(book))
  }

  @Test func `channels that are kept have subscribers that there are`() throws {
    let bytes = Self.bytes(Self.book(4))
    #expect(throws: StateError.self) { try Self.read(bytes, registrations: 40) }
  }

  @Test func `channels that are kept have places that are in order`() throws {
    for places in [[3, 1], [1, 1]] as [[UInt32]] {
      let bytes = StateBytes.of { KeptRows(places).write(to: &$0) }
      #expect(throws: StateError.self) { try StateBytes.read(bytes) { try KeptPlaces(reading: &$0) } }
    }
  }
}
