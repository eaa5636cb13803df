import APNSimCore
import APNSimScenario
import Testing

@Suite struct `Scenario file` {
  @Test func `every part of the format reaches the scenario`() throws {
    let scenario = try ScenarioFile.parse(
      """
      version: 1
      name: everything
      seed: 42
      clock: { mode: virtual, start: 2012-06-01T00:00:00Z }
      settings: { edition: final, commands: [0, 1], storagePeriod: 2h, feedbackKeep: true }
      apps:
        com.example.app: { environment: both }
        com.example.other:
      devices:
        alice: { token: "\(String(repeating: "aa", count: 32))", apps: [com.example.other] }
        bob:   { token: issued, apps: [com.example.app], online: false }
        carol:
          installed: false
          apps:
            - { topic: com.example.app, environment: sandbox, token: "0c0d", installed: true }
            - com.example.other
        dave:
      feedback:
        - { device: alice, app: com.example.other, at: 2012-05-31T12:00:00Z }
        - { token: "0E0F", app: com.example.app, environment: sandbox, after: 1h30m }
      """,
      name: "test.yaml"
    )
    let other = AppKey(topic: "com.example.other", environment: .production)
    #expect(scenario.name == "everything")
    #expect(scenario.seed == 42)
    #expect(scenario.clock == .virtual(start: Timestamp(seconds: 1_338_508_800)))
    #expect(
      scenario.settings == [
        SettingAssignment(name: "edition", text: "final"), SettingAssignment(name: "commands", text: "0,1"),
        SettingAssignment(name: "storagePeriod", text: "2h"),
        SettingAssignment(name: "feedbackKeep", text: "true"),
      ]
    )
    #expect(scenario.apps == [productionApp, sandboxApp, other])
    #expect(
      scenario.devices == [
        DeviceSpecification(
          name: "alice",
          apps: [AppSpecification(app: other, token: [UInt8](repeating: 0xAA, count: 32))]
        ),
        DeviceSpecification(
          name: "bob",
          isOnline: false,
          apps: [AppSpecification(app: productionApp), AppSpecification(app: sandboxApp)]
        ),
        DeviceSpecification(
          name: "carol",
          apps: [
            AppSpecification(app: sandboxApp, token: [0x0C, 0x0D], isInstalled: true),
            AppSpecification(app: other, isInstalled: false),
          ]
        ),
        DeviceSpecification(name: "dave"),
      ]
    )
    #expect(
      scenario.feedback == [
        FeedbackSpecification(
          subject: .device("alice"),
          app: other,
          moment: .at(Timestamp(seconds: 1_338_465_600))
        ),
        FeedbackSpecification(subject: .token([0x0E, 0x0F]), app: sandboxApp, moment: .after(.minutes(90))),
      ]
    )
  }

  @Test func `JSON is read by the same reader, surrogate escapes included`() throws {
    let text = #"""
      {
      	"version": 1, "name": "snow \ud83c\udfbf and \\ud83c", "seed": 18446744073709551615,
      	"clock": "virtual", "devices": {"alice": {"online": null}}
      }
      """#
    let scenario = try ScenarioFile.parse(text, name: "test.json")
    #expect(scenario.name == "snow 🎿 and \\ud83c")
    #expect(scenario.seed == .max)
    #expect(scenario.clock == .virtual(start: nil))
    #expect(scenario.devices == [DeviceSpecification(name: "alice")])
  }

  @Test func `sections may stand in any order`() throws {
    let scenario = try ScenarioFile.parse(
      """
      feedback: [{ device: alice, app: com.example.app, at: 2012-01-01 }]
      devices: { alice: { apps: [com.example.app] } }
      apps: { com.example.app: { environment: sandbox } }
      """,
      name: "test.yaml"
    )
    #expect(scenario.feedback.map(\.app) == [sandboxApp])
  }

  @Test(arguments: ["true", "True", "TRUE"]) func `true is true in every case that YAML has`(word: String)
    throws
  {
    let text = """
      devices: { a: { online: \(word), apps: [com.example.app] } }
      traffic: [{ connection: c, send: { to: a, payload: { aps: {}, flag: \(word) } } }]
      expect: [{ where: { payload.flag: true }, count: 1 }]
      """
    #expect(try ScenarioRunner(try ScenarioFile.script(text, name: "test.yaml")).run().isSatisfied)
  }

  @Test func `a file that lists no apps means production`() throws {
    let scenario = try ScenarioFile.parse("devices: { a: { apps: [com.example.app] } }", name: "test.yaml")
    #expect(scenario.devices.first?.apps == [AppSpecification(app: productionApp)])
  }

  @Test(arguments: [
    "", " # as a: offline", "  \n  # - a: b", "\n# '*a' and \"*b\": names", "\n# why? because",
  ])
  func `an anchor saves typing`(comment: String) throws {
    let scenario = try ScenarioFile.parse(
      "devices:\n  a: &off { online: false }\n  b: *off\(comment)\n",
      name: "test.yaml"
    )
    #expect(scenario.devices.map(\.isOnline) == [false, false])
  }

  @Test(arguments: ["real", "virtual", "virtual@2012-06-01", "{ mode: real }", "{ mode: virtual }"])
  func `the clock is written as the flag or as a mapping`(text: String) throws {
    let clock = try ScenarioFile.parse("clock: \(text)", name: "test.yaml").clock
    #expect((clock == .real) == text.contains("real"))
  }
}
