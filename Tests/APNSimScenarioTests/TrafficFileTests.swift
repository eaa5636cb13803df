import APNSimCore
import APNSimScenario
import APNSimWire
import Testing

@Suite struct `Traffic of a file` {
  private func notification(_ text: String) throws -> TrafficNotification? {
    let script = try script("traffic:\n- { connection: a, send: \(text) }")
    guard case .send(let pieces, _)? = script.traffic.first?.action,
      case .notification(let found)? = pieces.first
    else { return nil }
    return found
  }

  @Test func `traffic of a file sends with defaults that need no thought`() throws {
    let found = try #require(try notification("{ to: alice }"))
    #expect(found.recipient == .device("alice"))
    #expect(found.payload == Array(#"{"aps":{"alert":"Hello"}}"#.utf8))
    #expect(found.command == 1 && found.identifier == .place && found.expiry == .at(0x7FFF_FFFF))
    #expect(found.priority == nil && found.count == 1)
  }

  @Test func `traffic of a file says everything of a notification`() throws {
    #expect(
      try notification("{ to: \(aliceToken) }")?.recipient == .token([UInt8](repeating: 0xAA, count: 32))
    )
    #expect(try notification("{ to: '' }")?.recipient == .token([]))
    #expect(
      try notification("{ to: alice, payload: { a: [1, 'x', null] } }")?.payload
        == Array(#"{"a":[1,"x",null]}"#.utf8)
    )
    #expect(try notification("{ to: alice, payload: '{' }")?.payload == [0x7B])
    #expect(try notification("{ to: alice, payloadSize: 300 }")?.payload.count == 300)
    #expect(try notification("{ to: alice, command: 2, priority: 5 }")?.priority == 5)
    #expect(try notification("{ to: alice, identifier: 9 }")?.identifier == .from(9))
    #expect(try notification("{ to: alice, identifier: 0000000a }")?.identifier == .from(10))
    #expect(
      try notification("{ to: alice, identifier: none }")?.identifier == TrafficNotification.Identifier.none
    )
    #expect(try notification("{ to: alice, expiry: none }")?.expiry == TrafficNotification.Expiry.none)
    #expect(try notification("{ to: alice, expiry: 0 }")?.expiry == .at(0))
    #expect(try notification("{ to: alice, expiry: -1 }")?.expiry == .at(0xFFFF_FFFF))
    #expect(try notification("{ to: alice, expiry: 4294967295 }")?.expiry == .at(0xFFFF_FFFF))
    #expect(try notification("{ to: alice, expiry: 1h }")?.expiry == .after(.hours(1)))
    #expect(try notification("{ to: alice, expiry: 2012-06-01T00:00:00Z }")?.expiry == .at(1_338_508_800))
    #expect(try notification("{ to: alice, count: 20 }")?.count == 20)
  }

  @Test func `traffic of a file counts identifiers on from the connection's own`() throws {
    let report = try report(
      """
      traffic:
        - { connection: a, send: [{ to: alice, count: 2 }, { to: alice, identifier: 40, count: 2 }, { to: alice }] }
      expect:
        - { where: { identifier: 2 }, count: 1 }
        - { where: { identifier: 41 }, count: 1 }
        - { where: { identifier: 5 }, count: 1 }
      """
    )
    #expect(report.isSatisfied)
  }

  @Test func `traffic of a file is in the order of time, and of the file at one moment`() throws {
    let script = try script(
      """
      traffic:
        - { at: 2s, connection: a, send: { to: alice } }
        - { connection: a, end: true }
        - { at: 1s, connection: b }
        - { connection: c, reset: true }
        - { at: 0s, connection: f, feedback: read }
        - { connection: g, feedback: 3 }
      """
    )
    #expect(script.traffic.map(\.connection) == ["f", "g", "b", "c", "a", "a"])
    #expect(script.traffic.map(\.at) == [.zero, .zero, .seconds(1), .seconds(1), .seconds(2), .seconds(2)])
    #expect(
      script.traffic.map(\.action).prefix(4) == [
        .readFeedback(tuples: nil), .readFeedback(tuples: 3), .open, .reset,
      ]
    )
    #expect(script.duration == .seconds(62))
    #expect(script.providers["f"]?.listener == .feedback)
  }

  @Test func `traffic of a file is cut as it says`() throws {
    for (text, count) in [("whole", 1), ("everyByte", 10), ("4", 3)] {
      let script = try script("traffic:\n- { connection: a, cut: \(text), send: { to: alice } }")
      guard case .send(_, let cut)? = script.traffic.first?.action else {
        Issue.record("no send")
        return
      }
      #expect(Array(cut.pieces(of: [UInt8](repeating: 0, count: 10))).count == count)
    }
  }

  @Test func `traffic of a file connects with the certificate of its app`() throws {
    let text = """
      apps: { one: { environment: sandbox }, two: { environment: production } }
      traffic:
        - { connection: a, topic: one }
        - { connection: b, topic: two, environment: sandbox }
        - { connection: a, end: true }
      until: 5s
      """
    let script = try ScenarioFile.script(text, name: "test.yaml")
    #expect(script.providers["a"]?.app == AppKey(topic: "one", environment: .sandbox))
    #expect(script.providers["b"]?.app == AppKey(topic: "two", environment: .sandbox))
    #expect(script.duration == .seconds(5))
  }
}
