import APNSimCore
import APNSimScenario
import APNSimWire
import Testing

@Suite struct `Expectations of a file` {
  private func expectation(_ text: String) throws -> APNSimCore.Expectation? {
    try script("expect:\n- \(text)").scenario.expectations.first
  }

  @Test(arguments: [
    ("count: 3", CountTest.exactly(3)), ("count: { exactly: 3 }", .exactly(3)), ("count: never", .exactly(0)),
    ("never: true", .exactly(0)), ("count: { never: true }", .exactly(0)),
    ("count: 0, never: false", .exactly(0)), ("count: { atMost: 4, never: false }", CountTest(atMost: 4)),
    ("count: { exactly: 3, never: false }", .exactly(3)), ("never: false", CountTest(atLeast: 1)),
    ("count: { never: false }", CountTest(atLeast: 1)),
    ("count: { atLeast: 2 }", CountTest(atLeast: 2)), ("count: { atMost: 4 }", CountTest(atMost: 4)),
    ("count: { atLeast: 2, atMost: 4 }", CountTest(atLeast: 2, atMost: 4)),
  ])
  func `expectations of a file count in every way`(text: String, expected: CountTest) throws {
    #expect(try expectation("{ where: {}, \(text) }")?.count == expected)
  }

  @Test func `expectations of a file ask by the short names that a query line has`() throws {
    let query = Query([
      .init(path: "alert", matcher: .equals(.string("x"))),
      .init(path: "payload.aps.alert.loc-key", matcher: .equals(.string("y"))),
      .init(path: "payload.aps.badge", matcher: .greaterThan(1)),
      .init(path: "payload.aps.sound", matcher: .equals(.null)),
    ])
    let text = "{ where: { alert: x, alert.loc-key: y, badge: { gt: 1 }, sound: null } }"
    #expect(try expectation(text)?.subject == .notifications(query))
  }

  @Test func `expectations of a file are about notifications, devices, feedback and errors`() throws {
    let query = Query([
      .init(path: "topic", matcher: .equals(.string("t"))),
      .init(path: "outcome", matcher: .equals(.string("stored"))),
      .init(path: "status", matcher: .equals(.number("8"))),
      .init(path: "payload.aps.alert", matcher: .contains("x")),
      .init(path: "payload.aps.badge", matcher: .greaterThan(1)),
    ])
    let text =
      "{ where: { topic: t, outcome: stored, status: Invalid token, payload: { aps.alert: { contains: x } }, "
      + "payload.aps.badge: { gt: 1 } } }"
    #expect(try expectation(text)?.subject == .notifications(query))
    #expect(try expectation(text)?.count == CountTest(atLeast: 1))
    #expect(try expectation("{ device: bob, inbox: 1 }")?.subject == .inbox(device: "bob", Query()))
    #expect(try expectation("{ device: bob, stored: { count: 1 } }")?.subject == .stored(device: "bob"))
    #expect(try expectation("{ device: bob, badge: 3 }")?.subject == .badge(device: "bob", nil))
    let badge = try expectation("{ device: bob, app: com.example.app, badge: 3 }")
    #expect(badge?.subject == .badge(device: "bob", productionApp))
    #expect(try expectation("{ feedback: all, count: 2 }")?.subject == .feedback(nil))
    let feedback = try expectation("{ feedback: { app: com.example.app }, count: 2 }")
    #expect(feedback?.subject == .feedback(productionApp))
    #expect(try expectation("{ error: 8 }")?.subject == .errors(.invalidToken))
    #expect(try expectation("{ error: any }")?.subject == .errors(nil))
    let error = try expectation("{ error: { status: 8, identifier: 3 } }")
    #expect(error?.subject == .errors(.invalidToken, NotificationIdentifier(rawValue: 3)))
  }

  @Test func `one entry may say several things of a device`() throws {
    let read = try script("expect:\n- { device: bob, inbox: { where: { command: 1 } }, stored: 0, badge: 1 }")
    #expect(read.scenario.expectations.count == 3)
    #expect(
      read.checks.map(\.text)
        == ["inbox of bob with command 1", "stored for bob", "badge on bob"].map { "line 5: \($0)" }
    )
  }

  @Test(arguments: [
    "{ badge: 1, payload: { aps.badge: 2 } }", "{ payload.aps.badge: 1, badge: 2 }",
    "{ payload: { aps.badge: 2 }, payload.aps.badge: 1 }",
  ])
  func `expectations of a file ask about a path once, however it is written`(query: String) throws {
    let error = #expect(throws: DocumentError.self) { try expectation("{ where: \(query) }") }
    #expect(error?.description.contains("payload.aps.badge already has a condition") == true, "\(query)")
  }

  @Test(arguments: ["identifier", "topic", "token", "device", "id", "outcome", "environment", "connection"])
  func `expectations of a file compare no number with what is never one`(field: String) throws {
    for (test, column) in [("{ gt: 3 }", "\"gt\""), ("{ not: { lt: 3 } }", "\"lt\"")] {
      let error = #expect(throws: DocumentError.self) { try expectation("{ where: { \(field): \(test) } }") }
      let words = "\(column) compares numbers, but \(field) is never one"
      #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }
    for symbol in [">", "<", ">=", "<="] {
      #expect(throws: DocumentError.self) { try QueryLine.parse("\(field)\(symbol)3") }
    }
  }

  @Test func `expectations of a file say what a connection saw`() throws {
    let text = """
      traffic: [{ connection: a }]
      expect:
        - connection: a
          received: "08 08 00000003"
          ending: close
          alert: 44
          records: 1
          tuples: { atLeast: 2 }
          accepted: 1
          rejected: 2
          discarded: 3
          resent: 4
          lost: 5
      """
    guard case .connection("a", let test)? = try script(text).checks.first?.subject else {
      Issue.record("not about the connection")
      return
    }
    #expect(test.received == [8, 8, 0, 0, 0, 3])
    #expect(test.ending == .close && test.alert == 44)
    #expect(test.records == .exactly(1) && test.tuples == CountTest(atLeast: 2))
    #expect(test.counts.map(\.name) == [.accepted, .rejected, .discarded, .resent, .lost])
    #expect(test.counts.map(\.test) == (1...5).map { .exactly($0) })
  }
}
