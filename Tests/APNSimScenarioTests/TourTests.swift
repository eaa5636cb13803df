import APNSimCore
import APNSimScenario
import APNSimWire
import Testing

@Suite struct `The example of the documentation` {
  private static let text = """
    version: 1
    name: bad token in the middle of a burst
    seed: 42
    clock: { mode: virtual, start: 2012-06-01T00:00:00Z }
    apps:
      com.example.app: { environment: production }
    devices:
      alice: { token: "\(String(repeating: "aa", count: 32))", apps: [com.example.app] }
      bob:   { token: "\(String(repeating: "bb", count: 32))", apps: [com.example.app], online: false }
      carol: { apps: [com.example.app] }              # token issued by the simulator
    feedback:
      - { device: alice, app: com.example.app, at: 2012-05-31T12:00:00Z }   # or after: 1h
    rules:                                            # first match wins, before magic tokens
      - name: third notification of each connection is refused
        when: { nth: 3 }                              # also: identifier, token, device, topic, command, connection, payload, probability
        reply: { status: 8, afterFrames: 20 }         # error packet only once 20 more frames are in: exact, not timed
        times: 1
      - when: { topic: com.example.app, payload: { aps.badge: { gt: 99 } } }
        reply: { status: 1, delay: 300ms }
      - name: flaky evening
        state: { requires: degraded, becomes: healthy }
        when: { connection: 2 }
        fault: { reset: { afterBytes: 40 } }
    timeline:
      - { at: 10m, do: { device.online: bob } }
      - { at: 10m, expect: { device: bob, inbox: { count: 1 } } }
      - { at: 1h,  do: { device.uninstall: { device: alice, app: com.example.app } } }
    expect:
      - { where: { topic: com.example.app }, count: { exactly: 5 } }
    """

  @Test func `the example of the documentation loads as it stands there`() throws {
    let script = try ScenarioFile.script(Self.text, name: "tour.yaml")
    let scenario = script.scenario
    #expect(scenario.rules.count == 3 && scenario.timeline.count == 3 && scenario.expectations.count == 1)
    #expect(scenario.rules[0].when.nth == .equals(.number("3")) && scenario.rules[0].times == 1)
    #expect(scenario.rules[0].action == .reply(Reply(status: .invalidToken, afterFrames: 20)))
    #expect(scenario.rules[1].when.payload == [.init(path: "aps.badge", matcher: .greaterThan(99))])
    #expect(scenario.rules[1].action == .reply(Reply(status: .processingError, delay: .milliseconds(300))))
    #expect(scenario.rules[2].state == .init(requires: "degraded", becomes: "healthy"))
    #expect(scenario.rules[2].action == .fault(.reset(.afterBytes(40))))
    #expect(
      scenario.timeline[0]
        == TimelineEntry(at: .minutes(10), action: .perform(.setOnline(device: "bob", true)))
    )
  }

  @Test func `the example of the documentation runs, and says that nobody sent anything`() throws {
    let report = try ScenarioRunner(try ScenarioFile.script(Self.text, name: "tour.yaml")).run()
    #expect(report.seed == 42)
    #expect(report.outcomes.map(\.isSatisfied) == [false, false])
    #expect(report.outcomes.map(\.found) == ["0", "0"])
    #expect(report.failures.isEmpty)
  }

  @Test func `the example of the documentation comes out with five notifications, one of them for bob`()
    throws
  {
    let traffic =
      "\ntraffic: [{ connection: a, send: [{ to: alice }, { to: bob }, { to: carol, count: 3 }] }]\n"
    let report = try ScenarioRunner(try ScenarioFile.script(Self.text + traffic, name: "tour.yaml")).run()
    #expect(report.isSatisfied)
  }
}
