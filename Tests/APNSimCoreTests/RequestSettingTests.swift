import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Settings of requests` {
  @Test func `settings of requests have one quirk of requests for each name that says so`() {
    func rules(_ quirks: Quirks) -> RequestRules {
      var configuration = Configuration()
      configuration.quirks = quirks
      return RequestRules(configuration)
    }
    let all = Quirks.all.map { rules($0.quirk).quirks }
    let known: [RequestRules.Quirks] = [
      .backgroundPriority10, .backgroundNeedsPriority, .documentedReasons, .unknownChannelBad,
      .contentTypeOnErrors,
    ]
    #expect(all.filter { $0 != [] } == known)
    #expect(rules(Quirks(rawValue: .max)).quirks == known.reduce(into: []) { $0.insert($1) })
  }

  @Test func `settings of requests name reasons as documented, with a content type`() throws {
    let provider = try CoreRequester(
      Samples.simulator { $0.quirks = [.documentedReasons, .contentTypeOnErrors] }
    )
    let key = CoreRequester.token(scope: ProviderKeyScope(environment: .sandbox))
    let answer = try #require(provider.send(provider.request(key)))
    #expect(String(decoding: answer.body, as: UTF8.self) == #"{"reason":"BadEnvironmentKeyIdInToken"}"#)
    #expect(answer.header("content-type") == "application/json")
    #expect(provider.simulator.notification(1)?.request?.reason == "BadEnvironmentKeyIdInToken")
  }

  @Test(arguments: [
    (TokenUpdateCounting.connection, [Reason.tooManyProviderTokenUpdates, nil]),
    (.team, [.tooManyProviderTokenUpdates, .tooManyProviderTokenUpdates]), (.off, [nil, nil]),
  ])
  func `settings of requests count provider tokens of a connection, of a team or not`(
    counting: TokenUpdateCounting,
    reasons: [Reason?]
  ) throws {
    let simulator = try Samples.simulator { $0.tokenUpdates = counting }
    let (one, other) = (try CoreRequester(simulator), try CoreRequester(simulator))
    #expect(one.send(one.request(CoreRequester.token(1)))?.reason == nil)
    #expect(one.send(one.request(CoreRequester.token(2)))?.reason == reasons[0])
    #expect(other.send(other.request(CoreRequester.token(3)))?.reason == reasons[1])
  }

  @Test func `settings keep the last request per app, or of each collapse identifier for its time`() throws {
    for (setting, count) in [(StoredPerApp.last, 1), (.collapseId, 3)] {
      let simulator = try Samples.simulator { $0.storedPerApp = setting }
      let provider = try CoreRequester(simulator)
      func push(_ id: String?, _ expiration: String? = nil) {
        var headers: [(String, String)] = []
        if let id { headers.append(("apns-collapse-id", id)) }
        if let expiration { headers.append(("apns-expiration", expiration)) }
        provider.send(provider.request(to: Hex.encode(Samples.offline), headers: headers))
      }
      push("a")
      push("b", "1338508860")
      push("a")
      push(nil)
      #expect(simulator.stored(for: "bob")?.count == count)
      try simulator.perform(.advanceClock(.minutes(2)))
      #expect(simulator.stored(for: "bob")?.count == max(1, count - 1))
      try simulator.perform(.setOnline(device: "bob", true))
      #expect(simulator.inbox(of: "bob")?.notifications.map(\.number) == (setting == .last ? [4] : [3, 4]))
    }
  }

  @Test
  func
    `a request kept under its collapse identifier is with a slow device at once`()
    throws
  {
    for (id, isThere) in [("a", true), ("", false)] {
      let simulator = try Samples.simulator { $0.storedPerApp = .collapseId }
      let provider = try CoreRequester(simulator)
      let token = MagicToken(kind: .react, code: 5).token()
      let headers = id.isEmpty ? [] : [("apns-collapse-id", id)]
      provider.send(provider.request(to: Hex.encode(token), headers: headers))
      #expect((simulator.notification(1)?.outcome == .delivered) == isThere)
    }
  }

  @Test func `settings of requests stand in a journal's header only where they are not the defaults`() throws
  {
    let usual = try MemoryJournal(Samples.simulator()).text
    #expect(!usual.contains("storedPerApp") && !usual.contains("tokenUpdates"))
    let changed = try MemoryJournal(
      Samples.simulator { ($0.storedPerApp, $0.tokenUpdates) = (.collapseId, .off) }
    ).text
    #expect(changed.contains(#""storedPerApp":"collapse-id""#) && changed.contains(#""tokenUpdates":"off""#))
  }
}
