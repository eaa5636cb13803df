import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `The store` {
  private static let since = Timestamp(seconds: 1_338_508_800)

  private static func facts(
    number: UInt64 = 1,
    wait: TimeSpan = .days(28),
    identifier: NotificationIdentifier? = nil,
    badge: Int32? = nil
  ) -> StoredNotifications.Facts {
    StoredNotifications.Facts(
      number: number,
      deadline: since + wait,
      since: since,
      identifier: identifier,
      badge: badge,
      isReadable: true,
      endsByExpiry: false
    )
  }

  @Test(arguments: [0, 1, 114, 256, 481, 482, 483, 2048, 5120, StoredNotifications.longestPayload])
  func `the store keeps a payload of any length and what was said of it`(length: Int) throws {
    var store = StoredNotifications()
    let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    for facts in [
      Self.facts(), Self.facts(number: (1 << 48) - 1, wait: .zero, identifier: .init(rawValue: 0), badge: 0),
      Self.facts(wait: .milliseconds(1), identifier: .init(rawValue: .max), badge: .max),
      Self.facts(wait: StoredNotifications.longestWait),
    ] {
      let place = payload.withUnsafeBytes { store.insert(facts, payload: $0) }
      let handle = try #require(place)
      #expect(store.facts(handle) == facts)
      #expect(Array(store.payload(handle)) == payload)
    }
  }

  @Test func `the store takes no payload that is longer than its longest place`() {
    var store = StoredNotifications()
    let payload = [UInt8](repeating: 1, count: StoredNotifications.longestPayload + 1)
    #expect(payload.withUnsafeBytes { store.insert(Self.facts(), payload: $0) } == nil)
  }

  @Test func `the store takes 144 bytes for the notification of the benchmark`() {
    #expect(StoredNotifications.placeByteCount(forPayload: 114) == 144)
  }
}
