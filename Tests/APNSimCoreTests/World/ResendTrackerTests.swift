import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `What is followed until it comes again` {
  private static let first = ConnectionID(rawValue: 1)
  private static let second = ConnectionID(rawValue: 2)

  private static func identifier(_ number: UInt32) -> NotificationIdentifier {
    NotificationIdentifier(rawValue: number)
  }

  /// A tracker that follows three equal notifications of the first connection, numbered 1 to 3.
  private static func tracker(limit: Int) -> (ResendTracker, given: [ResendTracker.Discard?]) {
    var tracker = ResendTracker(limit: limit)
    let given = (0..<3).map { index in
      let discard = ResendTracker.Discard(connection: first, index: index)
      return tracker.follow(discard, to: 4, "9", identifier(UInt32(index) + 1)).givenUp
    }
    return (tracker, given)
  }

  @Test func `the one with the same identifier is made good first, then the oldest of the same content`() {
    var (tracker, _) = Self.tracker(limit: 10)
    let made = [3, 7, 7, 7].map { number in
      tracker.received("9", to: 4, Self.identifier(number), on: Self.second)?.index
    }
    #expect(made == [2, 0, 1, nil])
    #expect(tracker.isEmpty)
    #expect(!tracker.awaits(token: 4))
  }

  @Test func `a connection does not make good what it lost itself`() {
    var (tracker, _) = Self.tracker(limit: 10)
    let made = tracker.received("9", to: 4, Self.identifier(1), on: Self.first)
    #expect(made == nil)
    #expect(tracker.count == 3)
    #expect(tracker.awaits(token: 4) && !tracker.awaits(token: 5))
  }

  @Test func `the oldest gives way to the newest`() {
    var (tracker, given) = Self.tracker(limit: 2)
    #expect(given.map { $0?.index } == [nil, nil, 0])
    let made = tracker.received("9", to: 4, Self.identifier(1), on: Self.second)
    #expect(made?.index == 1)
  }

  @Test func `nothing is followed where there is no room for any`() {
    var tracker = ResendTracker(limit: 0)
    let discard = ResendTracker.Discard(connection: Self.first, index: 0)
    let (place, givenUp) = tracker.follow(discard, to: 4, "9", Self.identifier(1))
    #expect(place == nil)
    #expect(givenUp == nil)
  }
}

extension ResendTracker {
  mutating func follow(
    _ discard: Discard,
    to token: UInt64,
    _ payload: String,
    _ identifier: NotificationIdentifier
  ) -> (place: UInt64?, givenUp: Discard?) {
    Array(payload.utf8).withUnsafeBytes { bytes in
      var content = NotificationContent(token: token, payload: bytes, isJSON: nil)
      return follow(discard, &content, identifier)
    }
  }

  mutating func loseAgain(_ discard: Discard, to token: UInt64, _ payload: String, _ attempt: Attempt)
    -> UInt64?
  {
    Array(payload.utf8).withUnsafeBytes { bytes in
      var content = NotificationContent(token: token, payload: bytes, isJSON: nil)
      return loseAgain(discard, &content, attempt)
    }
  }

  mutating func received(
    _ payload: String,
    to token: UInt64,
    _ identifier: NotificationIdentifier,
    on connection: ConnectionID,
    orOnItself: Bool = false
  ) -> Discard? {
    Array(payload.utf8).withUnsafeBytes { bytes in
      var content = NotificationContent(token: token, payload: bytes, isJSON: nil)
      return received(&content, identifier, on: connection, orOnItself: orOnItself)
    }
  }
}
