import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Live Activities that are kept` {
  private static let app = AppKey(topic: "com.example.sim", environment: .production)
  private static let other = AppKey(topic: "com.example.sim", environment: .sandbox)
  private static let now = Moment.start

  private static func activity(_ book: ActivityBook, device: UInt32, token: [UInt8]? = nil) -> Activity {
    var activity = Activity(
      number: book.nextNumber,
      device: device,
      registration: device + 10,
      app: app,
      started: now,
      updated: now + .seconds(1)
    )
    activity.token = token
    activity.attributes = Array(#"{"team":"x"}"#.utf8)
    return activity
  }

  /// Several of each kind, of which some have made way or gone with their app.
  private static var book: ActivityBook {
    var book = ActivityBook()
    for place in 0..<UInt8(40) {
      let device = place < 35 ? 1 : UInt32(place % 3)
      var next = activity(book, device: device, token: place % 2 == 0 ? [place] : nil)
      if place % 5 == 0 {
        (next.type, next.channel) = ("Score", Activity.FollowedChannel(place: UInt32(place), id: "AAAA"))
      }
      book.add(next, at: now)
    }
    // Two with one token: the later one is found, until the earlier one takes the token along.
    for token: UInt8 in [30, 38] { book.add(activity(book, device: 0, token: [token]), at: now) }
    if var changed = book[20] {
      (changed.contentState, changed.timestamp, changed.updates) = (Array(#"{"score":1}"#.utf8), 100, 3)
      (changed.staleDate, changed.relevanceScore, changed.alert) = (now + .hours(1), "50", "Goal: 1:0")
      (changed.ended, changed.dismissal) = (now + .hours(2), now + .hours(3))
      book.put(changed)
    }
    book.removeAll(of: 12, device: 2)
    book.noteStale([1, 2, 3], app: other)
    for registration: UInt32 in [11, 10] {
      book.noteWaiting(5, for: 20, on: registration)
      book.noteWaiting(6, for: nil, on: registration)
    }
    for number: UInt64 in [9, 7, 8] {
      book.noteIgnored(IgnoredPush(notification: number, time: now, reason: "r\(number)"), device: 1)
    }
    book.noteIgnored(IgnoredPush(notification: 10, time: now, reason: "none"), device: nil)
    return book
  }

  private static func bytes(_ book: ActivityBook) -> [UInt8] { StateBytes.of { book.write(to: &$0) } }

  private static func read(_ bytes: [UInt8], devices: UInt32 = 3, registrations: UInt32 = 14) throws
    -> ActivityBook
  {
    try StateBytes.read(bytes) {
      try ActivityBook(reading: &$0, devices: devices, registrations: registrations)
    }
  }

  @Test func `Live Activities that are kept are found by number, device, channel and token`() throws {
    let book = Self.book
    let known = try Self.read(Self.bytes(book))
    func views(_ activities: [Activity]) -> [ActivityView] {
      activities.map { ActivityView($0, at: Self.now + .minutes(1)) }
    }
    for device: UInt32 in 0..<3 {
      #expect(views(known.activities(of: device)) == views(book.activities(of: device)))
      #expect(known.ignored(of: device) == book.ignored(of: device))
    }
    #expect(known.activities(of: 1).count == ActivityBook.mostOfDevice)
    #expect(views(known.activities(of: 1, on: 20)) == views(book.activities(of: 1, on: 20)))
    for byte in 0..<UInt8(40) {
      let found = book.activity(of: [byte], app: Self.app)?.number
      #expect(known.activity(of: [byte], app: Self.app)?.number == found)
      #expect(known.isStale([byte], app: Self.app) == book.isStale([byte], app: Self.app))
    }
    #expect(known.isStale([1, 2, 3], app: Self.other) && known.nextNumber == book.nextNumber)
    #expect((6...10).map { known.reason(of: $0) } == [nil, "r7", "r8", "r9", "none"])
  }

  @Test func `Live Activities that are kept go on making way and being ended`() throws {
    var book = Self.book
    var known = try Self.read(Self.bytes(book))
    for _ in 0..<3 {
      let next = Self.activity(book, device: 1, token: [99])
      book.add(next, at: Self.now + .hours(9))
      known.add(next, at: Self.now + .hours(9))
    }
    for registration: UInt32 in [10, 11] {
      let (taken, meant) = (known.takeWaiting(5, on: registration), book.takeWaiting(5, on: registration))
      #expect(taken.activity == meant.activity && taken.isKnown && meant.isKnown)
    }
    let (moved, meant) = (known.detach(from: 11, device: 1), book.detach(from: 11, device: 1))
    #expect(moved == meant)
    known.attach(moved, to: 13)
    book.attach(meant, to: 13)
    known.removeAll(of: 10, device: 0)
    book.removeAll(of: 10, device: 0)
    known.forget(device: 1)
    book.forget(device: 1)
    #expect(Self.bytes(known) == Self.bytes(book))
  }

  @Test func `Live Activities that are kept are of places that there are`() throws {
    var book = ActivityBook()
    book.add(Self.activity(book, device: 1, token: [1]), at: Self.now)
    book.noteStale([2], app: Self.app)
    book.noteWaiting(5, for: 1, on: 11)
    book.noteIgnored(IgnoredPush(notification: 9, time: Self.now, reason: "r"), device: 1)
    let bytes = Self.bytes(book)
    #expect(throws: StateError.self) { try Self.read(bytes, devices: 1) }
    #expect(throws: StateError.self) { try Self.read(bytes, registrations: 11) }
  }
}
