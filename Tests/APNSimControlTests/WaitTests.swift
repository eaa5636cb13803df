import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimTestSupport
import APNSimWire
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@Suite struct `Waits` {
  private static let order =
    #"{"where":{"payload":{"aps.alert":{"contains":"Order"}}},"count":{"atLeast":2},"timeout":"60s"}"#

  private func alert(_ text: String) -> String { #"{"aps":{"alert":"\#(text)"}}"# }

  /// Until so many waits stand in the simulator.
  private func waits(_ count: Int, _ test: TestControl) async {
    #expect(await eventually { test.simulator.waitCount == count })
  }

  @Test func `a wait counts what came before it and ends on receipt`() async throws {
    try await TestControl.run { test in
      let provider = try test.provider()
      provider.send(TestControl.frame(1, alert("Order 1")) + TestControl.frame(2, alert("other")))
      async let reply = test.http(.POST, "/api/v1/notifications/wait", Self.order)
      await waits(1, test)
      provider.send(TestControl.frame(3, alert("Order 2")))
      let result = try await reply
      #expect(result.status == 200)
      #expect(result["satisfied"] == .bool(true))
      #expect(result["matched"] == .number("2"))
      #expect(result["notifications.1.identifier"] == .string("00000003"))
      #expect(test.simulator.waitCount == 0)
    }
  }

  @Test func `a wait of hardly any time sees all that is there`() async throws {
    try await TestControl.run { test in
      let provider = try test.provider()
      provider.send((1...4999).flatMap { TestControl.frame($0, alert("other")) })
      provider.send(TestControl.frame(5000, alert("last")))
      let texts = [
        (#""query":"alert:last""#, "true", "1"), (#""count":{"exactly":5000}"#, "true", "5000"),
        (#""never":true"#, "false", "5000"),
      ]
      for (text, isSatisfied, matched) in texts {
        let result = try await test.http(.POST, "/api/v1/notifications/wait", "{\(text),\"timeout\":\"1ms\"}")
        #expect(result["satisfied"]?.description == isSatisfied && result["missed"] == nil, "\(result.text)")
        #expect(result["matched"] == .number(matched))
      }
    }
  }

  @Test func `a wait ends in time however long it takes to look back`() async throws {
    try await TestControl.run { test in
      let text = String(repeating: "a", count: 200)
      try test.provider().send((1...10_000).flatMap { TestControl.frame($0, alert(text)) })
      // More than is looked at in any case.
      let query = "alert:*\(String(repeating: "a", count: 900))b"
      let body = #"{"query":"\#(query)","timeout":"1ms"}"#
      let result = try await test.http(.POST, "/api/v1/notifications/wait", body)
      #expect(result["satisfied"] == .bool(false) && result["missed"] != nil)
      #expect(test.simulator.waitCount == 0)
    }
  }

  @Test func `what has made room may have matched, and is cleared away by a reset`() async throws {
    var core = Configuration()
    core.limits.keep = 1000
    try await TestControl.run(core: core) { test in
      let provider = try test.provider()
      provider.send(TestControl.frame(1, alert("Order 1")))
      provider.send((2...1501).flatMap { TestControl.frame($0, alert("other")) })
      for count in [#""never":true"#, #""count":{"exactly":0}"#, #""count":{"atLeast":0,"atMost":3}"#] {
        let body = #"{"where":{"payload":{"aps.alert":"Order 1"}},\#(count),"timeout":"60s"}"#
        let result = try await test.http(.POST, "/api/v1/notifications/wait", body)
        #expect(result["satisfied"] == .bool(false) && result["missed"] == .number("501"), "\(count)")
      }
      let enough = try await test.http(
        .POST,
        "/api/v1/notifications/wait",
        #"{"count":{"atLeast":1000},"timeout":"60s"}"#
      )
      #expect(enough["satisfied"] == .bool(true) && enough["missed"] == .number("501"))
      let later = #"{"since":"n1400","count":{"exactly":101},"quietFor":"5ms","timeout":"60s"}"#
      let known = try await test.http(.POST, "/api/v1/notifications/wait", later)
      #expect(known["satisfied"] == .bool(true) && known["missed"] == nil)
      #expect(try await test.http(.POST, "/api/v1/reset", "{}").status < 300)
      let none = #"{"never":true,"timeout":"20ms"}"#
      let anew = try await test.http(.POST, "/api/v1/notifications/wait", none)
      #expect(anew["satisfied"] == .bool(true) && anew["missed"] == nil)
    }
  }

  @Test func `an unmet wait names the path that differs, and fails where it is asserted`() async throws {
    try await TestControl.run { test in
      try test.provider().send(TestControl.frame(1, alert("order 17")))
      let body = Self.order.replacing("60s", with: "1ms")
      let result = try await test.http(.POST, "/api/v1/notifications/wait?assert=true", body)
      #expect(result.status == 422)
      #expect(result["satisfied"] == .bool(false))
      #expect(result["nearMisses.0.id"] == .string("n1"))
      #expect(result["nearMisses.0.differences.0.path"] == .string("payload.aps.alert"))
      #expect(result["nearMisses.0.differences.0.expected"] == .string(#"contains "Order""#))
      #expect(result["nearMisses.0.differences.0.actual"] == .string("order 17"))
    }
  }

  @Test(arguments: ["now", "n1"])
  func `what came before a wait is no near miss of it`(since: String) async throws {
    try await TestControl.run { test in
      try test.provider().send(TestControl.frame(1, alert("order 17")))
      let body = #"{"where":{"status":8},"since":"\#(since)","timeout":"1ms"}"#
      let result = try await test.http(.POST, "/api/v1/notifications/wait", body)
      #expect(result["satisfied"] == .bool(false) && result["nearMisses"] == .array([]), "\(result.text)")
    }
  }

  @Test(arguments: [
    (#"{"never":true,"timeout":"20ms"}"#, true), (#"{"count":{"exactly":1},"timeout":"20ms"}"#, false),
    (#"{"count":0,"timeout":"60s","quietFor":"5ms"}"#, true),
    (#"{"count":{"atLeast":1},"timeout":"5ms"}"#, false),
  ])
  func `with nothing coming, only a wait for nothing is satisfied`(_ body: String, _ expected: Bool)
    async throws
  {
    try await TestControl.run { test in
      let result = try await test.http(.POST, "/api/v1/notifications/wait", body)
      #expect(result["satisfied"] == .bool(expected))
    }
  }

  @Test(arguments: [
    #"{"never":false,"timeout":"60s"}"#, #"{"where":{"payload":{"acme":{"equals":null}}},"timeout":"60s"}"#,
    #"{"where":{"payload.acme":null,"payload.items":[1,"a"]},"timeout":"60s"}"#,
    #"{"where":{"payload":{"items":{"not":null}}},"timeout":"60s"}"#,
  ])
  func `false is as much as nothing, and null is a value`(_ body: String) async throws {
    try await TestControl.run { test in
      try test.provider().send(TestControl.frame(1, #"{"aps":{},"acme":null,"items":[1,"a"]}"#))
      let result = try await test.http(.POST, "/api/v1/notifications/wait", body)
      #expect(result["satisfied"] == .bool(true), "\(result.text)")
    }
  }

  @Test(arguments: [
    (#"{"count":{"exactly":3,"atLeast":9}}"#, "/count/exactly"),
    (#"{"count":{"atLeast":5,"atMost":2}}"#, "/count"), (#"{"count":"3"}"#, "/count"),
    (#"{"count":{"atLeast":"3"}}"#, "/count/atLeast"), (#"{"never":"yes"}"#, "/never"),
    (#"{"where":{"topic":1}}"#, "/where/topic"), (#"{"where":{"topic":null}}"#, "/where/topic"),
    (#"{"timeout":null}"#, "/timeout"), (#"{"where":null}"#, "/where"),
  ])
  func `what cannot hold, or is of another type, is refused at its place`(_ body: String, _ pointer: String)
    async throws
  {
    try await TestControl.run { test in
      let result = try await test.http(.POST, "/api/v1/notifications/wait", body)
      #expect(result.status == 400)
      #expect(result["pointer"] == .string(pointer), "\(result.text)")
    }
  }

  @Test(arguments: [
    #"{"since":"n18446744073709551615","timeout":"1ms"}"#, #"{"count":9223372036854775807,"timeout":"1ms"}"#,
    #"{"count":{"atMost":9223372036854775807},"timeout":"1ms"}"#, #"{"count":-1,"timeout":"1ms"}"#,
  ])
  func `a number beyond all that can come is refused`(_ body: String) async throws {
    try await TestControl.run { test in
      let result = try await test.http(.POST, "/api/v1/notifications/wait", body)
      #expect(result.status == 400)
    }
  }

  @Test(arguments: [
    #"{"since":"n18446744073709551614","timeout":"1ms"}"#, #"{"count":1000000000,"timeout":"1ms"}"#,
    #"{"since":"n0","count":{"atMost":1000000000},"timeout":"1ms"}"#,
  ])
  func `the largest numbers are waited for like others`(_ body: String) async throws {
    try await TestControl.run { test in
      let result = try await test.http(.POST, "/api/v1/notifications/wait", body)
      #expect(result.status == 200)
    }
  }

  @Test func `a wait since the largest number looks back at nothing, and ends`() async throws {
    try await TestControl.run { test in
      let provider = try test.provider()
      for identifier in UInt32(1)...300 { provider.send(TestControl.frame(identifier, alert("x"))) }
      // A pattern with so much work for each text that few are looked at in one go.
      let query = "alert~/(?:abcdef|ghijkl){20}/"
      let body = #"{"since":"n18446744073709551614","query":"\#(query)","timeout":"1ms"}"#
      let result = try await test.http(.POST, "/api/v1/notifications/wait", body)
      #expect(result.status == 200 && result["satisfied"] == .bool(false), "\(result.text)")
    }
  }

  @Test func `too many end a wait for exactly so many at once`() async throws {
    try await TestControl.run { test in
      let provider = try test.provider()
      for identifier in UInt32(1)...3 { provider.send(TestControl.frame(identifier, alert("x"))) }
      let body = #"{"query":"topic:com.example.*","count":2,"timeout":"60s"}"#
      let result = try await test.http(.POST, "/api/v1/notifications/wait", body)
      #expect(result["satisfied"] == .bool(false))
      #expect(result["matched"] == .number("3"))
    }
  }

  @Test func `a client that goes away takes its wait along`() async throws {
    try await TestControl.run { test in
      let stream = try await test.http.open(.POST, "/api/v1/notifications/wait", Self.order)
      await waits(1, test)
      try await stream.channel.close().get()
      await waits(0, test)
    }
  }

  @Test func `a thousand waits do nothing while nothing happens`() async throws {
    try await TestControl.run { test in
      let query = try QueryLine.parse("alert~Order")
      let open = (0..<1000).map { _ in test.simulator.wait(for: query, from: .reset) { _ in } }
      try test.simulator.perform(.putDevice(DeviceSpecification(name: "bob")), at: TestControl.start)
      try test.simulator.perform(.advanceClock(.hours(1)), at: TestControl.start)
      #expect(test.simulator.waitEvaluations == 0)
      try test.provider().send(TestControl.frame(1, alert("x")))
      #expect(test.simulator.waitEvaluations == 1000)
      for (wait, _) in open { test.simulator.end(wait) }
    }
  }

  @Test func `only what can change the verdict is told`() async throws {
    try await TestControl.run { test in
      let provider = try test.provider()
      let each = Mutex(0)
      let told = Mutex(0)
      let waits = [
        test.simulator.wait(for: Query(), from: .reset) { _ in each.withLock { $0 += 1 } },
        test.simulator.wait(for: Query(), from: .reset, interest: .reaching(3)) { progress in
          #expect(progress.matched == 3)
          told.withLock { $0 += 1 }
        },
      ]
      for identifier in UInt32(1)...5 { provider.send(TestControl.frame(identifier, alert("x"))) }
      #expect(each.withLock { $0 } == 5)
      #expect(told.withLock { $0 } == 1)
      for (wait, _) in waits {
        #expect(test.simulator.result(of: wait).progress.matched == 5)
        test.simulator.end(wait)
      }
    }
  }

  @Test func `an outcome that comes later is waited for as well`() async throws {
    try await TestControl.run { test in
      let device = DeviceSpecification(
        name: "bob",
        isOnline: false,
        apps: [
          AppSpecification(
            app: AppKey(topic: TestControl.topic, environment: .production),
            token: TestControl.token
          )
        ]
      )
      try test.server.perform(.putDevice(device))
      try test.provider().send(TestControl.frame(1, alert("x")))
      async let reply = test.http(
        .POST,
        "/api/v1/notifications/wait",
        #"{"query":"outcome:delivered","timeout":"60s"}"#
      )
      await waits(1, test)
      #expect(try await test.http(.POST, "/api/v1/devices/bob/online").status == 200)
      #expect(try await reply["satisfied"] == .bool(true))
    }
  }
}
