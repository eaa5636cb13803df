import APNSimCore
import APNSimScenario
import APNSimWire
import Testing

@Suite struct `Live Activities of a file` {
  private static let types = """
    apps:
      com.example.app:
        activities:
          ScoreAttributes:
            contentState: { score: integer, scorer: string?, at: date, goals: [{ by: string? }], next?: { at: [date?] } }
            attributes: { team: string }
    devices: { alice: { apps: [com.example.app] } }

    """

  @Test func `Live Activities of a file have what apps decode, and those that apps have started`() throws {
    let channel = "tvI2UK0vEfEAAA6GFnjo2Q=="
    let text =
      Self.types
        + """
        channels: [{ app: com.example.app, id: \(channel) }]
        activities:
          - { device: alice, app: com.example.app, attributesType: ScoreAttributes, token: abcd, contentState: { score: 1 } }
          - { device: alice, app: com.example.app, attributesType: ScoreAttributes, channel: \(channel) }
        timeline:
          - { at: 1s, do: { activity.start: { device: alice, app: com.example.app, attributesType: Other } } }
        """
    let scenario = try ScenarioFile.parse(text, name: "test.yaml")
    let schema = ActivitySchema(
      contentState: [
        .init(name: "score", kind: .integer, isOptional: false),
        .init(name: "scorer", kind: .string, isOptional: true),
        .init(name: "at", kind: .date, isOptional: false),
        .init(
          name: "goals",
          shape: .elements(
            .members([.init(name: "by", kind: .string, isOptional: true)]),
            areOptional: false
          ),
          isOptional: false
        ),
        .init(
          name: "next",
          shape: .members([
            .init(name: "at", shape: .elements(.plain(.date), areOptional: true), isOptional: false)
          ]),
          isOptional: true
        ),
      ],
      attributes: [.init(name: "team", kind: .string, isOptional: false)]
    )
    #expect(scenario.activityTypes == ["com.example.app": ["ScoreAttributes": schema]])
    var first = ActivitySpecification(device: "alice", app: productionApp, attributesType: "ScoreAttributes")
    var second = first
    (first.token, first.contentState) = ([0xAB, 0xCD], Array(#"{"score":1}"#.utf8))
    second.channel = channel
    #expect(scenario.activities == [first, second])
    let other = ActivitySpecification(device: "alice", app: productionApp, attributesType: "Other")
    #expect(scenario.timeline.map(\.action) == [.perform(.startActivity(other))])
    var writer = JSONWriter()
    scenario.write(to: &writer)
    let written = String(decoding: writer.bytes, as: UTF8.self)
    #expect(try ScenarioFile.parse(written, name: "written") == scenario)
  }
}
