import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `The journal of requests` {
  private static func traffic(_ simulator: Simulator) throws {
    let provider = try CoreRequester(simulator)
    let frames = try CoreProvider(samples: simulator)
    provider.send(
      provider.request(),
      provider.request(headers: [("apns-collapse-id", "score"), ("apns-push-type", "alert")])
    )
    frames.send(Samples.frame(1))
    provider.send(provider.request(to: Hex.encode(Samples.offline)))
    provider.send(provider.request(headers: [("apns-priority", "7")]))
    provider.send(provider.request(RequestAuthorization()))
    provider.close()
    frames.close()
  }

  @Test func `the journal of requests is the same for the same seed`() throws {
    let journals = try (0..<2).map { _ in
      let simulator = try Samples.simulator()
      let journal = MemoryJournal(simulator)
      try Self.traffic(simulator)
      return journal.text
    }
    #expect(journals[0] == journals[1])
  }

  @Test func `the journal of requests says what is a request's own, and never the provider token`() throws {
    let simulator = try Samples.simulator()
    let journal = MemoryJournal(simulator)
    try Self.traffic(simulator)
    let lines = journal.text.split(separator: "\n").filter { $0.contains(#""interface":"http2""#) }
    #expect(lines.count == 5)
    #expect(
      lines[1].contains(#""stream":3,"apnsId":""#)
        && lines[1].contains(#""collapseId":"score","pushType":"alert""#)
    )
    #expect(
      lines[1].contains(#""auth":{"kind":"token","team":"TEAM","key":"KEY"},"status":200,"device":"alice""#)
    )
    #expect(lines[3].contains(#""status":400,"reason":"BadPriority""#))
    #expect(lines[4].contains(#""auth":null,"status":403,"reason":"MissingProviderToken""#))
    let evidence = simulator.notifications().flatMap(\.evidence)
    #expect(!String(decoding: evidence, as: UTF8.self).contains("secret"))
  }

  @Test(arguments: [
    "plain", "", "\u{7F}", "a \"b\" \\ c", "tab\t\u{1}", "é🥐", String(repeating: "\\", count: 3000),
  ])
  func `the journal of requests has the texts of a request as they were sent`(text: String) throws {
    let simulator = try Samples.simulator()
    let journal = MemoryJournal(simulator)
    let provider = try CoreRequester(simulator)
    let names = ["apns-collapse-id", "apns-push-type"]
    let (one, other) = ("0123abCD-4567-89ab-cdef-0123456789AB", "0123abCD-4567-89ab-cdef-0123456789Ab")
    let identifiers = [("apns-id", one), ("apns-request-id", other)]
    provider.send(
      provider.request(headers: identifiers + names.map { ($0, text) } + names.map { ($0, "again") }),
      provider.request(headers: identifiers, path: "/4/broadcasts/apps/\(Samples.topic)")
    )
    let lines = try journal.text.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
    let requests = lines.filter { $0.member("interface")?.stringValue == "http2" }
    try #require(requests.count == 2)
    #expect(requests.map { $0.member("apnsId")?.stringValue } == [one, other])
    #expect(requests.map { $0.member("collapseId")?.stringValue } == [text, nil])
    #expect(requests.map { $0.member("pushType")?.stringValue } == [text, nil])
  }

  @Test func `the journal of requests has in each line the request that makes the same line again`() throws {
    let simulator = try Samples.simulator()
    let journal = MemoryJournal(simulator)
    let provider = try CoreRequester(simulator)
    provider.send(provider.request(), provider.request(headers: [("apns-priority", "5")]))
    provider.send(provider.request(CoreRequester.token(4, .unknownKey)))
    provider.close()
    let again = try Samples.simulator()
    let replayed = MemoryJournal(again)
    let replay = try CoreRequester(again)
    for view in simulator.notifications() {
      replay.send(try #require(ProviderRequest(evidence: view.evidence)))
    }
    replay.close()
    #expect(replayed.text == journal.text)
  }

  @Test func `the journal of requests has bytes that are read back, and others are refused`() throws {
    let provider = try CoreRequester(Samples.simulator())
    let scope = ProviderKeyScope(team: "TEAM", environment: .sandbox, topics: ["a", "b"])
    let request = provider.request(headers: [("apns-id", "x")], CoreRequester.token(9, scope: scope))
    request.bytes.withUnsafeBytes { bytes in
      let evidence = RequestEvidence(bytes)
      #expect(evidence?.authorization == CoreRequester.token(9, scope: scope))
      #expect(evidence?.token.elementsEqual(Samples.online) == true && evidence?.stream == 1)
      #expect(evidence?.fields.contains { $0 == ("authorization", "") } == true)
      #expect(evidence?.fields.last.map { $0 == ("apns-id", "x") } == true)
    }
    var generator = SeededGenerator(seed: 3)
    for count in 0..<request.bytes.count {
      #expect(ProviderRequest(evidence: Array(request.bytes.prefix(count))) == nil)
      var damaged = request.bytes
      damaged[count] = UInt8.random(in: 0...255, using: &generator)
      if let read = ProviderRequest(evidence: damaged) { provider.send(read) }
    }
  }

  @Test(arguments: [
    ("interface", Matcher.equals(.string("http2")), 5), ("status", .equals(.number("403")), 1),
    ("status", .equals(.number("200")), 3), ("reason", .equals(.string("BadPriority")), 1),
    ("collapseId", .equals(.string("score")), 1), ("pushType", .equals(.string("alert")), 4),
    ("stream", .equals(.number("3")), 1), ("auth.team", .equals(.string("TEAM")), 4),
    ("status", .equals(.number("0")), 1),
  ])
  func `the journal of requests can be asked`(path: String, matcher: Matcher, count: Int) throws {
    let simulator = try Samples.simulator()
    try Self.traffic(simulator)
    let query = Query([Query.Condition(path: path, matcher: matcher)])
    #expect(simulator.notifications(from: 1, limit: 9, matching: CompiledQuery(query)).views.count == count)
    #expect(simulator.notifications().filter(query.matches).count == count)
  }
}
