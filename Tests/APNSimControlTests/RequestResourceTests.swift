import APNSimControl
import APNSimCore
import APNSimWire
import NIOCore
import NIOHTTP1
import Testing

@Suite struct `Requests over HTTP2 in the API` {
  private static let api = "/api/v1"

  private static func request(_ stream: UInt32, _ headers: [(String, String)] = []) -> ProviderRequest {
    let list =
      [
        (":method", "POST"), (":path", "/3/device/\(String(repeating: "ab", count: 32))"),
        ("authorization", "bearer secret"), ("apns-topic", "com.example.app"),
        ("apns-push-type", "alert"), ("apns-collapse-id", "score"),
      ] + headers
    let facts = ProviderTokenFacts(
      number: 1,
      keyID: "APNSIMKEY1",
      teamID: "APNSIMTEAM",
      issuedAt: TestControl.start.seconds,
      verdict: .good
    )
    return ProviderRequest(
      stream: stream,
      headers: list.map { (name: Array($0.0.utf8), value: Array($0.1.utf8)) },
      body: Array(#"{"aps":{"alert":"hi"}}"#.utf8),
      authorization: .bearer(facts)
    )
  }

  @Test func `requests are told, found, counted by reason, ruled on, and reported without an answer`()
    async throws
  {
    var scenario = Scenario()
    scenario.clock = .virtual(start: TestControl.start)
    try await TestControl.run(scenario: scenario) { test in
      let rule =
        #"{"when":{"pushType":"alert","stream":5},"reply":{"reason":"ServiceUnavailable","delay":"1h"}}"#
      let added = try await test.http(.POST, Self.api + "/faults", rule)
      #expect(added.status == 201 && added["kind"] == .string("reply"))
      #expect(
        added["rule.when.listener"] == nil && added["rule.reply.reason"] == .string("ServiceUnavailable")
      )
      let none = ProviderIdentity(topics: [], environment: .production, subject: "")
      let opening = ConnectionOpening(peer: "test", provider: none)
      let connection = try test.simulator.openRequests(opening, at: TestControl.start)
      let requests = [Self.request(1), Self.request(3, [("apns-priority", "7")]), Self.request(5)]
      _ = connection.receive(requests, at: TestControl.start)
      let found = try await test.http(.GET, Self.api + "/notifications?query=reason:BadPriority")
      #expect(found["notifications"]?.arrayValue?.count == 1)
      let one = try #require(found["notifications.0"])
      #expect(one["interface"] == .string("http2") && one["stream"] == .number("3"))
      #expect(one["status"] == .number("400") && one["command"] == .null && one["identifier"] == .null)
      #expect(one["collapseId"] == .string("score") && one["auth.team"] == .string("APNSIMTEAM"))
      #expect(!found.text.contains("secret"))
      let late = try await test.http(.GET, Self.api + "/notifications?query=stream:5")
      #expect(late["notifications.0.status"] == .null)
      connection.closed(.reset, at: TestControl.start)
      let report = try await test.http(.GET, Self.api + "/connections/\(connection.id)")
      #expect(report["resend.unanswered"] == .array([.string("n3")]))
      #expect(report["resend.lost"] == .array([.string("n3")]))
      let metrics = try await test.http(.GET, Self.api + "/metrics").text
      #expect(metrics.contains(#"apnsim_request_rejections_total{status="400",reason="BadPriority"} 1"#))
      #expect(
        metrics.contains(#"apnsim_notifications_by_interface_total{interface="http2",outcome="delivered"} 1"#)
      )
      #expect(!metrics.contains("apnsim_rejections_total{"))
      #expect(metrics.contains("apnsim_requests_received_total 3\n"))
      #expect(metrics.contains("apnsim_request_answers_total{status=\"200\",reason=\"\"} 1\n"))
      #expect(metrics.contains("apnsim_request_answers_total{status=\"400\",reason=\"BadPriority\"} 1\n"))
      #expect(metrics.contains("apnsim_requests_unanswered_total 1\n"))
      #expect(metrics.contains("apnsim_requests_in_flight 0\n"))
      #expect(metrics.contains("apnsim_request_injected_delay_seconds_bucket{le=\"60\"} 0\n"))
      #expect(metrics.contains("apnsim_request_injected_delay_seconds_bucket{le=\"+Inf\"} 1\n"))
      #expect(metrics.contains("apnsim_request_injected_delay_seconds_sum 3600\n"))
      #expect(metrics.contains("apnsim_request_duration_seconds_bucket{le=\"0.0025\"} 0\n"))
    }
  }
}
