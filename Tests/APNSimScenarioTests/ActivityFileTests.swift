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

  @Test func `have what apps decode, and those that apps have started`() throws {
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

  @Test(arguments: [
    (
      "apps: { com.example.app: { activities: { S: { contentState: { score: int } } } } }",
      """
      1:70 expected string, number, integer, boolean, date, array, object or any, with ? for an optional one, \
      found "int"
      """
    ),
    (
      "apps: { com.example.app: { activities: { S: { contentState: { score: [] } } } } }",
      "1:70 expected the one type of an array's elements, found 0"
    ),
    (
      "apps: { com.example.app: { activities: { S: { state: { score: integer } } } } }",
      "1:47 unknown key \"state\" in a type of attributes; known keys: contentState and attributes"
    ),
  ])
  func `name the place of what an app cannot decode`(text: String, expected: String) {
    #expect(findings(in: text).map { $0.split(separator: " →").first.map(String.init) ?? "" } == [expected])
  }

  @Test(arguments: [
    (
      "activities: [{ device: alice, app: com.example.app }]",
      "1:14 an activity needs the key \"attributesType\""
    ),
    (
      "activities: [{ device: alise, app: com.example.app, attributesType: S }]",
      "1:24 no device is called \"alise\" → alice"
    ),
    (
      "activities: [{ device: alice, app: com.example.other, attributesType: S }]",
      "1:36 \"alice\" does not have the app com.example.other (production)"
    ),
    (
      "activities: [{ device: alice, app: com.example.app, attributesType: S, contentState: 5 }]",
      "1:86 expected contentState as a mapping, such as { score: 1 }, found \"5\""
    ),
    (
      "activities: [{ device: alice, app: com.example.app, attributesType: S, channel: AAAA }]",
      "1:81 no channel of this file has the id \"AAAA\""
    ),
  ])
  func `are checked, with line and column`(text: String, expected: String) {
    #expect(problemsBehindWorld(text) == [expected])
  }
}
