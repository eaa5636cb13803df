import APNSimCore
import APNSimWire
import NIOHTTP1
import Testing

@Suite struct `Refusals` {
  private static let api = "/api/v1"

  @Test func `a path without the name of one thing is not the path of all of them`() async throws {
    try await TestControl.run { test in
      #expect(try await test.http(.POST, Self.api + "/faults", #"{"fault":"swallow"}"#).status == 201)
      for (method, path) in [
        (HTTPMethod.DELETE, "/faults/"), (.GET, "/connections/"), (.GET, "/devices/"),
        (.GET, "/devices//inbox"), (.POST, "/devices//offline"), (.DELETE, "//faults"),
        (.GET, "/sandboxes//devices"),
      ] {
        let refused = try await test.http(method, Self.api + path)
        #expect(refused.status == 404, "\(method) \(path)")
        #expect(refused["hint"]?.stringValue?.hasPrefix("is a variable empty?") == true, "\(refused.text)")
      }
      #expect(test.simulator.rules().count == 1)
    }
  }

  @Test(arguments: [
    ("/clock/set", #"{"to":0}"#, "expected a time for \"to\", such as 2012-06-01T00:00:00Z, found 0"),
    (
      "/clock/set", #"{"to":"1338508800"}"#,
      "expected a time for \"to\", such as 2012-06-01T00:00:00Z, found \"1338508800\""
    ),
    ("/clock/set", "", "the body is empty: expected a time with to, found nothing"),
    ("/clock/advance", " ", "the body is empty: expected an advance with by, found nothing"),
    (
      "/faults", #"{"fault":{}}"#,
      "expected a fault, such as swallow or { reset: { afterBytes: 40 } }, found none"
    ),
    (
      "/faults", #"{"where":{"nth":1},"when":{"nth":2},"fault":"swallow"}"#,
      "\"where\" and \"when\" mean the same here: give only one"
    ),
    (
      "/faults", #"{"where":{"listener":"gateway"},"fault":"feedbackHoldOpen"}"#,
      "\"feedbackHoldOpen\" does nothing on the gateway listener: expected feedback"
    ),
    (
      "/notifications/wait", #"{"timeout":"1s","quietFor":"2s"}"#,
      "a timeout of 1s is too short for a \"quietFor\" of 2s: give a longer one"
    ),
  ])
  func `refusals say what was expected and what was found`(_ path: String, _ body: String, _ detail: String)
    async throws
  {
    try await TestControl.run { test in
      let refused = try await test.http(.POST, Self.api + path, body)
      #expect(refused.status == 400)
      #expect(refused["detail"] == .string(detail))
    }
  }

  @Test func `an unknown key is compared with every key that there is`() async throws {
    try await TestControl.run { test in
      let refused = try await test.http(.POST, Self.api + "/faults", #"{"wher":{"nth":1},"fault":"swallow"}"#)
      #expect(refused.status == 400)
      #expect(refused["hint"] == .string("did you mean \"where\"?"))
      #expect(refused["detail"]?.stringValue?.contains("known keys: name, where, when, reply") == true)
    }
  }

  @Test func `a scenario of which nothing is there is an empty body`() async throws {
    try await TestControl.run { test in
      let refused = try await test.http(.PUT, Self.api + "/scenario", "")
      #expect(refused.status == 400)
      #expect(refused["detail"] == .string("the body is empty: expected a scenario in JSON or YAML"))
    }
  }

  @Test func `a wait says how many it wanted, and how long it had to be quiet then`() async throws {
    try await TestControl.run { test in
      let result = try await test.http(
        .POST,
        Self.api + "/notifications/wait",
        #"{"count":5,"timeout":"2ms","quietFor":"1ms"}"#
      )
      #expect(result["satisfied"] == .bool(false))
      #expect(result["expected"] == .string("exactly 5, then quiet for 1ms"))
    }
  }
}
