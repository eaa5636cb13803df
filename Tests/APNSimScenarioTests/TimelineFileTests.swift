import APNSimCore
import APNSimScenario
import APNSimWire
import Testing

@Suite struct `A timeline of a file` {
  @Test(arguments: [
    ("device.online: bob", Command.setOnline(device: "bob", true)),
    ("device.offline: bob", .setOnline(device: "bob", false)),
    ("device.remove: bob", .removeDevice("bob")),
    ("device.install: bob", .setInstalled(device: "bob", app: nil, true)),
    (
      "device.uninstall: { device: bob, app: com.example.app }",
      .setInstalled(device: "bob", app: productionApp, false)
    ),
    (
      "device.install: { device: bob, app: com.example.app, environment: production }",
      .setInstalled(device: "bob", app: productionApp, true)
    ),
    ("device.rotate: bob", .rotateTokens(device: "bob", app: nil)),
    (
      "device.rotate: { device: bob, app: com.example.app }",
      .rotateTokens(device: "bob", app: productionApp)
    ),
    (
      "device.add: { dave: { apps: [com.example.app], online: false } }",
      .putDevice(
        DeviceSpecification(name: "dave", isOnline: false, apps: [AppSpecification(app: productionApp)])
      )
    ),
    (
      "feedback.add: { device: bob, app: com.example.app }",
      .addFeedback(FeedbackSpecification(subject: .device("bob"), app: productionApp, moment: .after(.zero)))
    ),
    (
      "feedback.add: { token: abcd, app: com.example.app, at: 1970-01-01 }",
      .addFeedback(
        FeedbackSpecification(
          subject: .token([0xAB, 0xCD]),
          app: productionApp,
          moment: .at(Timestamp(seconds: 0))
        )
      )
    ),
    ("feedback.clear: all", .clearFeedback(nil)),
    ("feedback.clear: { app: com.example.app }", .clearFeedback(productionApp)),
    ("clock.advance: 2h", .advanceClock(.hours(2))),
    ("clock.set: 1970-01-01", .setClock(Timestamp(seconds: 0))),
    ("clock.freeze: true", .freezeClock), ("clock.resume: true", .resumeClock),
    ("history.clear: true", .clearHistory),
  ])
  func `a timeline of a file does everything that can be done`(text: String, expected: Command) throws {
    let timeline = try script("timeline:\n- { at: 10m, do: { \(text) } }").scenario.timeline
    #expect(timeline == [TimelineEntry(at: .minutes(10), action: .perform(expected))])
  }

  @Test func `a device is named by its token, which may be one that is met on the way`() throws {
    let devices = "devices: { a: { token: dead, apps: [com.example.app] } }\n"
    for token in ["dead", String(repeating: "ab", count: 32)] {
      let text = devices + "timeline: [{ at: 1s, do: { device.offline: \(token) } }]"
      #expect(try ScenarioFile.parse(text, name: "test.yaml").timeline.count == 1)
    }
  }

  @Test func `several actions of one entry follow in their order`() throws {
    let timeline = try script("timeline: [{ at: 1s, do: { device.online: bob, device.offline: bob } }]")
    #expect(timeline.scenario.timeline.count == 2)
  }

  @Test func `what a timeline expects of connections is looked at by the runner`() throws {
    let script = try script(
      """
      traffic: [{ connection: a }]
      timeline:
        - { at: 1s, expect: [{ where: { connection: a } }, { connection: a, ending: open }, { error: any }] }
      """
    )
    #expect(script.scenario.timeline.count == 1)
    #expect(script.checks.map(\.at) == [.seconds(1), .seconds(1)])
  }

  @Test func `a device that it adds is known to the traffic`() throws {
    let report = try report(
      """
      timeline: [{ at: 1s, do: { device.add: { dave: { apps: [com.example.app] } } } }]
      traffic: [{ at: 2s, connection: a, send: { to: dave } }]
      expect: [{ device: dave, inbox: 1 }]
      """
    )
    #expect(report.isSatisfied)
  }

  @Test func `a device may get its own token again, and no other device`() {
    func text(_ name: String) -> String {
      """
      devices:
        bob: { token: 0a0b, apps: [com.example.app] }
      timeline:
        - { at: 1s, do: { device.remove: bob } }
        - { at: 2s, do: { device.add: { \(name): { token: 0A0B, apps: [com.example.app] } } } }
      """
    }
    #expect(findings(in: text("bob")) == [])
    #expect(findings(in: text("eve")).count == 1)
  }

  @Test func `what a timeline cannot do fails the run`() throws {
    let report = try report(
      """
      timeline:
        - { at: 1s, do: { device.remove: bob } }
        - { at: 2s, do: { device.online: bob } }
      """
    )
    #expect(report.failures.count == 1)
    #expect(report.failures.first?.contains("there is no device \"bob\"") == true)
    #expect(!report.isSatisfied)
  }
}
