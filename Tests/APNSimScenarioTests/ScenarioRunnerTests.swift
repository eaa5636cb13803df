import APNSimCore
import APNSimScenario
import APNSimWire
import Synchronization
import Testing

@Suite struct `A scenario runs` {
  @Test func `a scenario runs to the same journal with the same seed, byte for byte`() throws {
    let text = """
      rules: [{ when: { probability: 0.4 }, fault: swallow }]
      traffic:
        - { connection: a, cut: 7, send: { to: alice, count: 200 } }
        - { at: 1m, connection: b, send: [{ to: bob, count: 50 }, { to: "" }] }
        - { at: 2m, connection: f, feedback: read }
      timeline: [{ at: 90s, do: { device.online: bob } }]
      """
    func journal(seed: UInt64) throws -> [UInt8] {
      let recorder = Recorder()
      _ = try ScenarioRunner(try script(text), seed: seed, recorder: recorder).run()
      return recorder.bytes
    }
    let first = try journal(seed: 5)
    #expect(first.count > 10_000)
    #expect(try journal(seed: 5) == first)
    #expect(try journal(seed: 6) != first)
  }

  @Test func `a scenario has not held where something is after the end that it says`() throws {
    let late = """
      timeline:
        - { at: 10m, expect: { where: {}, count: 7 } }
        - { at: 20m, do: { device.offline: alice } }
      traffic: [{ connection: a, at: 2h, send: { to: alice } }]
      expect: [{ where: {}, never: true }]
      """
    let cut = try report("until: 1s\n" + late)
    #expect(cut.failures.count == 2 && !cut.isSatisfied)
    #expect(cut.failures.first?.hasSuffix("notifications, at 10m: the run ends earlier, at 1s") == true)
    #expect(cut.failures.last == "what happens at 20m and later: the run ends earlier, at 1s")
    #expect(try report("until: 3h\n" + late).failures == [])
  }

  @Test func `a scenario names what came nearest where something is not as expected`() throws {
    let report = try report(
      """
      traffic: [{ connection: a, send: { to: alice, payload: { aps: { alert: "order #17" } } } }]
      expect:
        - { where: { topic: com.example.app, payload.aps.alert: { contains: Order } }, count: 1 }
        - { connection: a, received: "08 08 00000001", ending: close }
      """
    )
    #expect(!report.isSatisfied)
    #expect(report.outcomes.map(\.found).first == "0")
    #expect(report.outcomes.first?.text.hasPrefix("line 6: notifications with topic") == true)
    let near = try #require(report.outcomes.first?.nearMisses.first)
    #expect(near.id == "n1")
    let difference = try #require(near.differences.first)
    #expect(difference.path == "payload.aps.alert")
    #expect(difference.expected == #"contains "Order""#)
    #expect(difference.actual == #""order #17""#)
    let missed = report.outcomes.last?.nearMisses.first
    #expect(missed?.id == "a")
    #expect(missed?.differences.map(\.path) == ["received", "ending"])
  }

  @Test func `a scenario holds its texts against what was sent, code point by code point`() throws {
    let report = try report(
      #"""
      traffic:
        - { connection: a, send: { to: alice, payload: { aps: { alert: "cafe\u0301", badge: 17 }, "\u212A": 1 } } }
      expect:
        - { where: { payload.aps.alert: "caf\u00e9" }, count: 0 }
        - { where: { payload.aps.alert: { contains: "caf\u00e9" } }, count: 0 }
        - { where: { payload.aps.alert: { size: 5 } }, count: 1 }
        - { where: { payload.K: { exists: true } }, count: 0 }
        - { where: { payload.aps.badge: "17" }, count: 1 }
      """#
    )
    #expect(report.outcomes.map(\.found) == ["0", "0", "1", "0", "0"])
    let difference = try #require(report.outcomes.last?.nearMisses.first?.differences.first)
    #expect(difference.expected == #""17" (a text, not a number)"#)
    #expect(difference.actual == "17")
  }

  @Test func `a scenario knows its connections by their names, whatever is asked of them`() throws {
    let report = try report(
      """
      traffic:
        - { connection: a, send: { to: alice, count: 2 } }
        - { connection: b, send: { to: alice, count: 3 } }
      expect:
        - { where: { connection: a }, count: 2 }
        - { where: { connection: { not: a } }, count: 3 }
        - { where: { connection: { equals: b, startsWith: c } }, count: 3 }
        - { device: alice, inbox: { where: { connection: { not: { equals: b } } }, count: 2 } }
      """
    )
    #expect(report.outcomes.map(\.found) == ["2", "3", "3", "2"])
    #expect(report.isSatisfied)
  }

  @Test func `a scenario runs through latency, slices and a late handshake, in simulated time`() throws {
    let report = try report(
      """
      faults:
        - { fault: { acceptDelay: 10s }, times: 1 }
        - { fault: { latency: 200ms } }
        - { fault: { slice: { bytes: 2, pause: 10ms } } }
      traffic: [{ connection: a, send: { to: "" } }]
      timeline:
        - { at: 9s, expect: [{ connection: a, rejected: 0 }, { connection: a, received: "" }] }
        - { at: 10190ms, expect: { connection: a, received: "", rejected: 1, ending: open } }
        - { at: 10205ms, expect: { connection: a, received: "08 02", ending: open } }
        - { at: 10215ms, expect: { connection: a, received: "08 02 0000", ending: open } }
        - { at: 10221ms, expect: { connection: a, received: "08 02 00000001", ending: close, records: 3 } }
      """
    )
    #expect(report.outcomes.filter { !$0.isSatisfied }.map(\.text) == [])
    #expect(report.outcomes.count == 6)
  }

  @Test func `a black hole in a scenario answers nothing, a late close comes when it is due`() throws {
    let report = try report(
      """
      faults:
        - { fault: blackHole, where: { connection: 1 } }
        - { fault: { closeAfterHandshake: 1s }, where: { connection: 2 } }
      traffic:
        - { connection: hole, send: { to: "" } }
        - { connection: brief, send: { to: alice } }
        - { at: 2s, connection: brief, send: { to: alice } }
      timeline: [{ at: 999ms, expect: { connection: brief, ending: open } }]
      expect:
        - { connection: hole, received: "", ending: open, accepted: 0, rejected: 0 }
        - { connection: brief, ending: close, accepted: 0 }
      """
    )
    #expect(report.outcomes.filter { !$0.isSatisfied }.map(\.text) == [])
  }

  @Test func `a scenario's provider that ends or resets is gone`() throws {
    let report = try report(
      """
      traffic:
        - { connection: a, send: { to: alice } }
        - { connection: a, end: true }
        - { connection: b, send: { hex: "01 00" } }
        - { connection: b, reset: true }
      expect: [{ connection: a, ending: close, received: "" }, { connection: b, ending: reset, accepted: 0 }]
      """
    )
    #expect(report.isSatisfied)
  }

  @Test func `a scenario says of what has made room whose it may have been`() throws {
    let report = try report(
      """
      settings: { keep: 1000 }
      traffic: [{ connection: a, send: { to: alice, count: 1200 } }]
      expect:
        - { where: {}, count: 1000 }
        - { device: alice, inbox: 1000 }
        - { device: alice, inbox: { count: { atLeast: 1000 } } }
      """
    )
    #expect(
      report.outcomes.map(\.found) == [
        "1000, and 200 earlier ones are no longer kept (keep)",
        "1000, and 200 earlier ones, to this device or others, are no longer kept (keep)",
        "1000, and 200 earlier ones, to this device or others, are no longer kept (keep)",
      ]
    )
    #expect(report.outcomes.map(\.isSatisfied) == [false, false, true])
  }
}

/// A journal in memory.
final class Recorder: JournalRecorder {
  private let lines = Mutex<[UInt8]>([])

  func record(_ bytes: UnsafeRawBufferPointer) { lines.withLock { $0.append(contentsOf: bytes) } }

  var bytes: [UInt8] { lines.withLock { $0 } }
}
