import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `What is kept of errors` {
  private static func identifier(_ number: Int) -> NotificationIdentifier {
    NotificationIdentifier(rawValue: UInt32(number))
  }

  private static func connection(_ number: UInt32) -> ConnectionID { ConnectionID(rawValue: number) }

  /// Follows a discard of the first connection, of few tokens and contents.
  private static func follow(_ number: Int, in tracker: inout ResendTracker) -> [UInt64?] {
    let discard = ResendTracker.Discard(connection: connection(1), index: number)
    let token = UInt64(number % 5)
    let (place, givenUp) = tracker.follow(discard, to: token, "\(number % 7)", identifier(number % 11))
    return [place, givenUp.map { UInt64($0.index) }]
  }

  static func tracker(_ count: Int, limit: Int) -> ResendTracker {
    var tracker = ResendTracker(limit: limit)
    for number in 0..<count { _ = follow(number, in: &tracker) }
    for number in stride(from: 0, to: count, by: 3) {
      let token = UInt64(number % 5)
      _ = tracker.received("\(number % 7)", to: token, identifier(number % 11), on: connection(2))
    }
    for place in stride(from: 1, to: UInt64(count), by: 4) {
      _ = tracker.forget(.init(connection: connection(1), index: Int(place)), at: place)
    }
    return tracker
  }

  /// Losses of requests, one of which was lost again over another connection, on a stream that was reset.
  static var requests: ResendTracker {
    var tracker = tracker(9, limit: 20)
    let again = ResendTracker.Discard(connection: connection(2), index: 3)
    let attempt = ResendTracker.Attempt(connection: connection(2), read: 9)
    if let place = tracker.loseAgain(again, to: 2, "2", attempt) {
      tracker.noteReset(of: again, at: place, number: 7)
    }
    return tracker
  }

  private static func kept(_ tracker: ResendTracker) -> KeptPart { KeptPart { tracker.write(to: &$0) } }

  @Test(arguments: [0, 1, 90, 400])
  func `discards come again as they would have`(count: Int) throws {
    var tracker = Self.tracker(count, limit: 300)
    var other = try Self.kept(tracker).read { try ResendTracker(reading: &$0) }
    other.limit = 300
    #expect(Self.kept(other).bytes == Self.kept(tracker).bytes)
    #expect(Set(other.discards) == Set(tracker.discards))
    for token in 0..<6 as Range<UInt64> {
      #expect(other.awaits(token: token) == tracker.awaits(token: token))
    }
    for number in 0..<1000 {
      if number % 3 < 2 {
        let followed = (Self.follow(number, in: &other), Self.follow(number, in: &tracker))
        #expect(followed.0 == followed.1)
      } else {
        let (payload, token, identifier) = ("\(number % 8)", UInt64(number % 5), Self.identifier(number % 12))
        let (on, isOnItself) = (Self.connection(UInt32(number % 2) + 1), number % 5 == 0)
        let made = (
          other.received(payload, to: token, identifier, on: on, orOnItself: isOnItself),
          tracker.received(payload, to: token, identifier, on: on, orOnItself: isOnItself)
        )
        #expect(made.0 == made.1)
      }
      #expect(other.count == tracker.count)
    }
    #expect(Self.kept(other).bytes == Self.kept(tracker).bytes)
  }

  @Test func `a push that was lost again is kept with both its losses`() {
    #expect(Self.requests.discards.count == Self.tracker(9, limit: 20).discards.count + 1)
  }

  @Test func `discards are in the order of their places`() {
    let kept = Self.kept(Self.tracker(8, limit: 10))
    // The size of a row, and the first one's place and index.
    for place in [8, 12, 19, 43] {
      var part = kept
      part.bytes[place] |= 0xF0
      #expect(throws: StateError.self) { _ = try part.read { try ResendTracker(reading: &$0) } }
    }
  }

  @Test func `duplicates are found as they would have been`() throws {
    var watch = DuplicateWatch()
    watch.connectionFailed(Self.connection(1), accepted: 4)
    _ = watch.takeUnread(before: Self.connection(2))
    for number in 1...100 as ClosedRange<UInt64> {
      let key = number &* 0x9E37_79B9_7F4A_7C15
      watch.stands(.init(number: number, connection: Self.connection(1)), key: key)
    }
    watch.connectionFailed(Self.connection(3), accepted: 9)
    watch.connectionFailed(Self.connection(2), accepted: 1)
    _ = watch.candidate(4, on: Self.connection(4))
    let kept = KeptPart { watch.write(to: &$0) }
    var other = try kept.read { try DuplicateWatch(reading: &$0) }
    #expect(KeptPart { other.write(to: &$0) }.bytes == kept.bytes)
    #expect(other.isWatching && other.hasUnread(besides: Self.connection(3)))
    for number in 0...101 as ClosedRange<UInt64> {
      let key = number &* 0x9E37_79B9_7F4A_7C15
      let later = Self.connection(2)
      let found = (other.candidate(key, on: later), watch.candidate(key, on: later))
      #expect(found.0?.number == found.1?.number && found.0?.connection == found.1?.connection)
      #expect((found.0 != nil) == (1...100).contains(number))
    }
    let unread = (other.takeUnread(before: Self.connection(9)), watch.takeUnread(before: Self.connection(9)))
    #expect(unread.0.map(\.connection) == unread.1.map(\.connection))
    #expect(unread.0.map(\.accepted) == [9, 1])
    #expect(KeptPart { other.write(to: &$0) }.bytes == KeptPart { watch.write(to: &$0) }.bytes)
  }

  @Test func `a connection that met an error had accepted something`() throws {
    var watch = DuplicateWatch()
    watch.connectionFailed(Self.connection(1), accepted: 1)
    var part = KeptPart { watch.write(to: &$0) }
    part.bytes[12] = 0
    #expect(throws: StateError.self) { _ = try part.read { try DuplicateWatch(reading: &$0) } }
  }
}
