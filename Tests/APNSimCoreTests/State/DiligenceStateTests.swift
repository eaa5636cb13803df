import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Habits that are kept` {
  /// A provider with a bit of each habit.
  static func provider() -> DiligentProvider {
    var provider = DiligentProvider()
    var connection = provider.open()
    provider.send(3, on: &connection)
    provider.watch.discarded(
      5,
      resent: 0,
      errorAt: provider.now + .seconds(-9),
      on: &connection,
      at: provider.now
    )
    provider.close(connection, byProvider: false)
    provider.send(#"{"aps": {"alert": {"body": "x"}}}"#)
    for _ in 0..<15 {
      provider.close(provider.open())
      provider.wait(.seconds(1))
    }
    provider.watch.tupleListed(at: provider.now)
    provider.watch.leftUnanswered(at: provider.now)
    for token in 0..<6 as Range<UInt64> {
      provider.watch.requestCame(token: token % 5, at: provider.now)
      provider.wait(.seconds(1))
    }
    return provider
  }

  private static func kept(_ watch: DiligenceWatch) -> KeptPart { KeptPart { watch.write(to: &$0) } }

  private static func read(_ part: KeptPart) throws -> DiligenceWatch {
    try part.read { try DiligenceWatch(reading: &$0) }
  }

  /// Lets a provider go on, and end all that was begun.
  private static func goOn(_ provider: inout DiligentProvider) {
    var connection = provider.open()
    provider.send(2, resent: 1, on: &connection)
    provider.send(120, on: &connection)
    provider.close(connection)
    for _ in 0..<5 { provider.close(provider.open()) }
    for token in 3..<130 as Range<UInt64> { provider.watch.requestCame(token: token, at: provider.now) }
    provider.watch.forgets(1)
    provider.watch.forgetsUnanswered()
  }

  @Test func `habits that are kept lead to the same advice`() throws {
    var provider = Self.provider()
    var other = provider
    other.watch = try Self.read(Self.kept(provider.watch))
    #expect(Self.kept(other.watch).bytes == Self.kept(provider.watch).bytes)
    #expect(other.advice == provider.advice)
    Self.goOn(&provider)
    Self.goOn(&other)
    #expect(other.advice == provider.advice)
    #expect(other.count(.connectionChurn) > 0 && other.count(.feedbackNotRead) > 0)
    #expect(other.count(.discardedNotResent) > 0 && other.count(.unansweredNotSentAgain) > 0)
    #expect(other.count(.tokenPerPush) > 0)
    #expect(other.watch.refusesConnection(at: other.now))
    #expect(Self.kept(other.watch).bytes == Self.kept(provider.watch).bytes)
  }

  @Test func `kept habits of none are none`() throws {
    let kept = Self.kept(DiligenceWatch())
    #expect(Self.kept(try Self.read(kept)).bytes == kept.bytes)
  }

  @Test func `habits that are kept are not read with other kinds`() {
    var kept = Self.kept(Self.provider().watch)
    kept.bytes[0] -= 1
    #expect(throws: StateError.self) { _ = try Self.read(kept) }
  }

  @Test func `kept habits of a connection go on`() throws {
    var provider = DiligentProvider()
    var connection = provider.open()
    for read in 1...19 as ClosedRange<UInt32> { provider.send(1, read: read, on: &connection) }
    let kept = KeptPart { connection.write(to: &$0) }
    var other = try kept.read { try ConnectionDiligence(reading: &$0) }
    #expect(KeptPart { other.write(to: &$0) }.bytes == kept.bytes)
    for read in 20...22 as ClosedRange<UInt32> { provider.send(1, read: read, on: &other) }
    #expect(provider.count(.oneNotificationPerWrite) == 21)
  }
}
