import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Apps that are kept` {
  private static func key(_ number: Int) -> AppKey {
    AppKey(topic: "com.example.app\(number)", environment: number % 2 == 0 ? .production : .sandbox)
  }

  static func apps(_ count: Int) -> AppTable {
    var apps = AppTable(limits: Limits())
    for number in 0..<count {
      guard let place = apps.add(key(count - number)) else { continue }
      apps[place].ledger.append(FeedbackTuple(timestamp: UInt32(number), token: Samples.online))
      apps[place].diligence.tupleListed(at: Moment.start)
      apps[place].duplicates.connectionFailed(ConnectionID(rawValue: 1), accepted: 1)
      let discard = ResendTracker.Discard(connection: ConnectionID(rawValue: 1), index: number)
      _ = apps[place].resends.follow(discard, to: 1, "2", .none)
    }
    return apps
  }

  private static func kept(_ apps: AppTable) -> KeptPart { KeptPart { apps.write(to: &$0) } }

  private static func read(_ part: KeptPart) throws -> AppTable {
    try part.read { try AppTable(reading: &$0, limits: Limits()) }
  }

  @Test(arguments: [0, 1, 300])
  func `apps that are kept stay in their places with what they remember`(count: Int) throws {
    var apps = Self.apps(count)
    var other = try Self.read(Self.kept(apps))
    #expect(Self.kept(other).bytes == Self.kept(apps).bytes)
    #expect(other.map(\.key) == apps.map(\.key))
    #expect(other.allSatisfy { $0.ledger.count == 1 && $0.resends.count == 1 && $0.duplicates.isWatching })
    for number in 0...count {
      #expect(other.place(of: Self.key(number)) == apps.place(of: Self.key(number)))
    }
    let added = [apps.add(Self.key(9999)), other.add(Self.key(9999))]
    #expect(added[0] == added[1])
    #expect(Self.kept(other).bytes == Self.kept(apps).bytes)
  }

  @Test func `apps that are kept are each there once`() {
    var kept = Self.kept(Self.apps(1))
    kept.bytes[0] = 2
    kept.bytes += kept.bytes[8...]
    #expect(throws: StateError.self) { _ = try Self.read(kept) }
  }
}
