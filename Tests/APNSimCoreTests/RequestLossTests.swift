import APNSimWire
import Testing

@testable import APNSimCore

/// Pushes that lose their answers, and come again until they are told 200.
@Suite struct `What is lost over HTTP/2` {
  private static func simulator(_ rules: OutcomeRules = .current) throws -> Simulator {
    try Samples.simulator {
      $0.tokens = .any
      $0.rules = rules
    }
  }

  private static func token(_ number: Int) -> String {
    Hex.encode([UInt8](repeating: 0xCC, count: 31) + [UInt8(number)])
  }

  private static func request(_ number: Int, from provider: CoreRequester) -> ProviderRequest {
    provider.request(to: token(number))
  }

  /// A rule for one request, by its connection and stream.
  private static func script(_ action: Rule.Action, _ stream: UInt32, on provider: CoreRequester) throws {
    var when = RuleMatch()
    when.listener = .interfaces
    when.connection = .equals(.number("\(provider.connection.record.ordinal)"))
    when.stream = .equals(.number("\(stream)"))
    try provider.simulator.perform(.addRule(Rule(when: when, action: action)))
  }

  private static func report(_ provider: CoreRequester) throws -> ResendReport {
    try #require(provider.simulator.connection(provider.connection.id)).resend
  }

  private static func names(_ numbers: ClosedRange<UInt64>) -> [ProviderReference] {
    numbers.map { .number($0) }
  }

  /// Ten pushes; two connections say GOAWAY below the third, and what is unanswered is sent again each time.
  private static func goAwayTwice(_ rules: OutcomeRules) throws -> (Simulator, [ResendReport]) {
    let simulator = try simulator(rules)
    var left = Array(1...10)
    var providers: [CoreRequester] = []
    while !left.isEmpty {
      let provider = try CoreRequester(simulator)
      let requests = left.map { request($0, from: provider) }
      if providers.count < 2 {
        try script(.fault(.goaway(.init(lastStream: .below))), requests[2].stream, on: provider)
      }
      provider.send(requests)
      provider.close()
      left.removeFirst(provider.answers.count)
      providers.append(provider)
    }
    return (simulator, try providers.map(report))
  }

  @Test func `what two connections lost above their GOAWAYs is resent on both once it is accepted`() throws {
    let (simulator, reports) = try Self.goAwayTwice(.current)
    #expect(reports[0].resent == Self.names(3...10) && reports[0].lost.isEmpty)
    #expect(reports[1].resent == Self.names(13...18) && reports[1].lost.isEmpty)
    #expect(reports.allSatisfy { $0.duplicated.isEmpty })
    #expect(simulator.advice(atEnd: true).isEmpty)
    let (_, earlier) = try Self.goAwayTwice(.first)
    #expect(earlier[0].resent.count == 8 && earlier[1].lost == Self.names(14...18))
  }

  @Test(arguments: [false, true])
  func `a stream that was reset by either side comes again on its own connection`(byProvider: Bool) throws {
    for rules in OutcomeRules.allCases {
      let provider = try CoreRequester(Self.simulator(rules))
      let first = Self.request(1, from: provider)
      let fault: Fault = byProvider ? .unanswered(false) : .resetStream(.refusedStream)
      try Self.script(.fault(fault), first.stream, on: provider)
      provider.send(first)
      if byProvider { _ = provider.connection.giveUp(first.stream, .cancel, at: provider.now) }
      #expect(try Self.report(provider).lost == [.number(1)])
      provider.send(Self.request(1, from: provider))
      #expect(try Self.report(provider).resent == (rules == .first ? [] : [.number(1)]))
    }
  }

  @Test
  func `a push that was sent twice on purpose is not the next attempt of what was lost in the same read`()
    throws
  {
    let provider = try CoreRequester(Self.simulator())
    let requests = (0..<2).map { _ in Self.request(1, from: provider) }
    for request in requests { try Self.script(.fault(.resetStream(.cancel)), request.stream, on: provider) }
    provider.send(requests)
    provider.send(Self.request(1, from: provider))
    #expect(try Self.report(provider).resent == [.number(1)])
    #expect(try Self.report(provider).lost == [.number(2)])
  }

  @Test func `an apns-id is what a push is the same by, whatever its payload is`() throws {
    let simulator = try Self.simulator()
    let provider = try CoreRequester(simulator)
    func push(_ id: String, _ text: String, from provider: CoreRequester) -> ProviderRequest {
      let headers = [("apns-push-type", "alert"), ("apns-id", "00000000-0000-4000-8000-00000000000\(id)")]
      return provider.request(to: Self.token(1), headers: headers, body: #"{"aps":{"alert":"\#(text)"}}"#)
    }
    let lost = [push("a", "1", from: provider), push("b", "1", from: provider)]
    for request in lost { try Self.script(.fault(.unanswered(false)), request.stream, on: provider) }
    provider.send(lost)
    let second = try CoreRequester(simulator)
    second.send(push("b", "another", from: second))
    second.send(push("c", "1", from: second))
    #expect(try Self.report(provider).resent == [.number(2)] && Self.report(provider).lost == [.number(1)])
  }

  @Test func `an answer that says to try again settles nothing, and a refusal does`() throws {
    let simulator = try Self.simulator()
    let provider = try CoreRequester(simulator)
    let first = Self.request(1, from: provider)
    try Self.script(.fault(.unanswered(false)), first.stream, on: provider)
    provider.send(first)
    for (reason, isSettled) in [
      (Reason.serviceUnavailable, false), (.tooManyRequests, false), (.unregistered, true),
    ] {
      let next = try CoreRequester(simulator)
      let request = Self.request(1, from: next)
      try Self.script(.answer(ScriptedAnswer(reason: reason)), request.stream, on: next)
      next.send(request)
      #expect(try Self.report(provider).resent == (isSettled ? [.number(1)] : []), "\(reason)")
    }
  }

  @Test func `what is accepted twice is duplicated, with the cause`() throws {
    let simulator = try Self.simulator()
    let first = try CoreRequester(simulator)
    let requests = (1...3).map { Self.request($0, from: first) }
    try Self.script(.fault(.unanswered(true)), requests[0].stream, on: first)
    first.send(requests)
    first.connection.closed(.reset, at: first.now)
    let second = try CoreRequester(simulator)
    second.send((1...2).map { Self.request($0, from: second) })
    second.send(Self.request(2, from: second))
    let report = try Self.report(first)
    #expect(report.duplicated == Self.names(1...2) && report.resent == [.number(1)] && report.lost.isEmpty)
    #expect(report.duplicatedCauses == ["unanswered", "the connection ended"])
    #expect(try Self.report(second).duplicated.isEmpty)
  }

  @Test func `what stands on a connection that its provider closed was told, and is sent again on purpose`()
    throws
  {
    let simulator = try Self.simulator()
    for _ in 0..<2 {
      let provider = try CoreRequester(simulator)
      provider.send(Self.request(1, from: provider))
      provider.close()
      #expect(try Self.report(provider).duplicated.isEmpty)
    }
  }

  @Test
  func `a state that was read back has the losses of several connections, and the streams that were reset`()
    throws
  {
    let simulator = try Self.simulator()
    let first = try CoreRequester(simulator)
    let request = Self.request(1, from: first)
    try Self.script(.fault(.unanswered(false)), request.stream, on: first)
    first.send(request)
    let second = try CoreRequester(simulator)
    let again = Self.request(1, from: second)
    try Self.script(.fault(.resetStream(.refusedStream)), again.stream, on: second)
    second.send(again)
    let app = try #require(
      simulator.withWorld { world in world.apps.place(of: Samples.app).map { world.apps[$0] } }
    )
    let kept = KeptPart { app.resends.write(to: &$0) }
    let read = try kept.read { try ResendTracker(reading: &$0) }
    #expect(KeptPart { read.write(to: &$0) }.bytes == kept.bytes)
    #expect(read.discards.map(\.connection) == [first.connection.id, second.connection.id])
  }
}
