import APNSimCore
import APNSimScenario
import Testing

@Suite struct `A scenario for a server` {
  private let text = """
    devices: { bob: { apps: [com.a, { topic: com.b, environment: production }] } }
    feedback: [{ device: bob, app: com.a, after: 1h }, { token: abcd, app: com.c, after: 1h }]

    """

  private func read(_ text: String, _ environment: PushEnvironment) throws -> Scenario {
    try ScenarioBody.read(text, name: "s.yaml", serverSettings: [], environment: environment)
  }

  @Test(arguments: [PushEnvironment.production, .sandbox])
  func `a scenario for a server has what names no environment in the one that the server has first`(
    first: PushEnvironment
  ) throws {
    let scenario = try read(text, first)
    #expect(scenario.devices.first?.apps.map(\.app.environment) == [first, .production])
    #expect(scenario.feedback.map(\.app.environment) == [first, first])
  }

  @Test func `a scenario for a server lists its apps there as well`() throws {
    let scenario = try read("apps: { com.a: {}, com.b: { environment: both } }", .sandbox)
    #expect(
      scenario.apps == [
        AppKey(topic: "com.a", environment: .sandbox), AppKey(topic: "com.b", environment: .production),
        AppKey(topic: "com.b", environment: .sandbox),
      ]
    )
  }

  @Test func `a scenario for a server is for production where it is read for no server`() throws {
    let scenario = try ScenarioFile.parse(text, name: "s.yaml")
    #expect(try read(text, .production) == scenario)
  }

  @Test func `a scenario for a server has problems like any other`() {
    let error = #expect(throws: DocumentError.self) { try read("devices: { bob: { aps: [] } }", .sandbox) }
    #expect(error?.problems.count == 1)
  }
}
