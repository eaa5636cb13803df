import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `What lost answers cost` {
  /// A simulator whose answers to one device come late, and which says nothing to a stale token.
  private static func simulator() throws -> Simulator {
    var match = RuleMatch()
    match.listener = .interfaces
    match.connection = .equals(.number("1"))
    match.token = .equals(.string(Hex.encode(Samples.online)))
    var answer = ScriptedAnswer(status: 200)
    answer.delay = .seconds(2)
    return try Samples.simulator(rules: [Rule(when: match, action: .answer(answer))]) {
      $0.quirks.insert(.silentStaleToken)
    }
  }

  private static let stale = CoreRequester.token(issuedAt: Moment.start + .seconds(-7200))

  private static func report(_ provider: CoreRequester) throws -> ResendReport {
    try #require(provider.simulator.connection(provider.connection.id)).resend
  }

  private static func advice(_ simulator: Simulator, atEnd: Bool = true) -> [AdviceKind] {
    simulator.advice(atEnd: atEnd).map(\.kind).filter { $0 != .staleProviderToken }
  }

  @Test(arguments: [false, true])
  func `a lost answer costs a notification that comes twice where it had been accepted`(isCollapsed: Bool)
    throws
  {
    let simulator = try Self.simulator()
    let headers = [("apns-push-type", "alert")] + (isCollapsed ? [("apns-collapse-id", "order")] : [])
    let first = try CoreRequester(simulator)
    first.send(first.request(headers: headers))
    first.close()
    #expect(try Self.report(first).accepted == [.number(1)])
    #expect(Self.advice(simulator) == [])
    let second = try CoreRequester(simulator)
    second.send(second.request(headers: headers))
    let report = try Self.report(first)
    #expect(report.unanswered == [.number(1)] && report.resent == [.number(1)] && report.lost.isEmpty)
    #expect(report.duplicated == [.number(1)])
    #expect(simulator.outcomes == [.delivered, .delivered])
    // Of one collapse identifier a device shows the last.
    #expect(Self.advice(simulator) == (isCollapsed ? [] : [.deliveredTwice]))
  }

  @Test func `a lost answer is made good over another connection, also while the first is open`() throws {
    let simulator = try Self.simulator()
    let first = try CoreRequester(simulator)
    first.send(first.request(to: Hex.encode(Samples.offline), Self.stale))
    first.send(first.request(to: Hex.encode(Samples.offline), body: #"{"aps":{"badge":1}}"#, Self.stale))
    #expect(try Self.report(first).lost == [.number(1), .number(2)])
    #expect(try Self.report(first).isAwaited && Self.advice(simulator, atEnd: false) == [])
    let second = try CoreRequester(simulator)
    second.send(second.request(to: Hex.encode(Samples.offline)))
    let report = try Self.report(first)
    #expect(report.resent == [.number(1)] && report.lost == [.number(2)] && report.duplicated.isEmpty)
    #expect(Self.advice(simulator) == [.unansweredNotSentAgain])
    #expect(simulator.advice(atEnd: true).first { $0.kind == .unansweredNotSentAgain }?.count == 1)
    second.send(second.request(to: Hex.encode(Samples.offline), body: #"{"aps":{"badge":1}}"#))
    #expect(Self.advice(simulator) == [])
  }

  @Test func `a lost answer is advised on once a hundred other notifications have come instead`() throws {
    let simulator = try Self.simulator()
    let first = try CoreRequester(simulator)
    first.send(first.request(to: Hex.encode(Samples.offline), Self.stale))
    first.close()
    let second = try CoreRequester(simulator)
    for number in 1...100 {
      #expect(Self.advice(simulator, atEnd: false) == [], "after \(number - 1)")
      second.send(second.request(to: Hex.encode(Samples.offline), body: #"{"aps":{"badge":\#(number)}}"#))
    }
    #expect(Self.advice(simulator, atEnd: false) == [.unansweredNotSentAgain])
    #expect(try !Self.report(first).isAwaited)
  }

  @Test func `what lost answers cost is told apart by the last stream of GOAWAY, which is never raised`()
    throws
  {
    let simulator = try Self.simulator()
    let provider = try CoreRequester(simulator)
    for _ in 0..<3 { provider.send(provider.request(Self.stale)) }
    #expect(try Self.report(provider).aboveLastStream.isEmpty)
    provider.connection.record.noteGoAway(lastStream: 3, at: Moment.start)
    #expect(try Self.report(provider).aboveLastStream == [.number(3)])
    provider.connection.record.noteGoAway(lastStream: 5, at: Moment.start)
    #expect(try Self.report(provider).upToLastStream == [.number(1), .number(2)])
    provider.connection.record.noteGoAway(lastStream: 0, at: Moment.start)
    let view = try #require(simulator.connection(provider.connection.id))
    #expect(view.resend.aboveLastStream == [.number(1), .number(2), .number(3)])
    #expect(view.goAway?.lastStream == 0)
  }

  @Test func `lost answers cost nothing after a shutdown, which answers first`() throws {
    let simulator = try Self.simulator()
    let provider = try CoreRequester(simulator)
    provider.send(provider.request(), provider.request())
    let actions = provider.connection.shutDown(at: Moment.start)
    #expect(actions.answers.map(\.status) == [200, 200])
    provider.close()
    let view = try #require(simulator.connection(provider.connection.id))
    #expect(view.goAway?.lastStream == 3 && view.resend.unanswered.isEmpty)
  }

  @Test func `a lost answer is made good on the same connection by the same apns-id alone`() throws {
    let simulator = try Self.simulator()
    let provider = try CoreRequester(simulator)
    let id = [("apns-push-type", "alert"), ("apns-id", "123e4567-e89b-12d3-a456-4266554400a0")]
    let device = Hex.encode(Samples.offline)
    provider.send(
      provider.request(to: device, headers: id, Self.stale),
      provider.request(to: device, Self.stale)
    )
    provider.send(provider.request(to: device))
    #expect(try Self.report(provider).lost == [.number(1), .number(2)])
    provider.send(provider.request(to: device, headers: id))
    #expect(try Self.report(provider).lost == [.number(2)])
    #expect(try Self.report(provider).resent == [.number(1)])
  }
}
