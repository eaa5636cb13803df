import APNSimCore
import APNSimScenario
import APNSimWire
import Testing

private let channel = "tvI2UK0vEfEAAA6GFnjo2Q=="

@Suite struct `Channels of a file` {
  @Test func `have an app, an identifier, a policy and subscribers`() throws {
    let scenario = try script(
      """
      channels:
        - { app: com.example.app, id: \(channel), storagePolicy: 0, subscribers: [alice, bob] }
        - { app: com.example.app }
      """
    ).scenario
    #expect(
      scenario.channels == [
        ChannelSpecification(
          app: productionApp,
          id: channel,
          storagePolicy: .none,
          subscribers: ["alice", "bob"]
        ), ChannelSpecification(app: productionApp),
      ]
    )
    var writer = JSONWriter()
    scenario.write(to: &writer)
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(try ScenarioFile.parse(text, name: "written") == scenario)
  }

  @Test func `belong to apps that may broadcast`() throws {
    let text = "apps: { com.example.app: { broadcast: false }, com.example.other: }"
    let scenario = try ScenarioFile.parse(text, name: "test.yaml")
    #expect(scenario.silentApps == ["com.example.app"])
    var writer = JSONWriter()
    scenario.write(to: &writer)
    let written = String(decoding: writer.bytes, as: UTF8.self)
    #expect(try ScenarioFile.parse(written, name: "written") == scenario)
    #expect(
      findings(in: text + "\nchannels: [{ app: com.example.app }]")
        == ["2:19 the app \"com.example.app\" says broadcast: false"]
    )
  }

  @Test(arguments: [
    (
      "channels: 5",
      "1:11 expected a list, such as [{ app: com.example.app, subscribers: [alice] }], found \"5\""
    ),
    (
      "channels: [{ app: com.example.app, subscriber: [alice] }]",
      """
      1:36 unknown key "subscriber" in a channel; known keys: app, environment, id, storagePolicy \
      and subscribers → subscribers
      """
    ), ("channels: [{ id: \(channel) }]", "1:12 a channel needs the key \"app\""),
    (
      "channels: [{ app: com.example.app, id: x }]",
      "1:40 expected a channel's identifier in Base64, such as \(channel), found \"x\""
    ),
    (
      "channels: [{ app: com.example.app, storagePolicy: 2 }]",
      "1:51 expected a whole number from 0 to 1 for the storage policy: 0 (no message) or 1 (the most recent one), found \"2\""
    ),
    (
      "channels: [{ app: com.example.app, subscribers: [alise] }]",
      "1:50 no device is called \"alise\" → alice"
    ),
    (
      "channels: [{ app: com.example.other, subscribers: [alice] }]",
      "1:52 \"alice\" does not have the app com.example.other (production)"
    ),
    (
      "channels: [{ app: com.example.app, id: \(channel) }, { app: com.example.app, id: \(channel) }]",
      "1:96 the app has this channel already (line 4)"
    ),
    (
      "timeline: [{ at: 1s, do: { channel.delete: \(channel) } }]",
      "1:44 no channel of this file has the id \"\(channel)\""
    ),
  ])
  func `are checked, with line and column`(text: String, expected: String) {
    #expect(problemsBehindWorld(text) == [expected])
  }

  @Test(arguments: [
    (
      "channel.create: { app: com.example.app }", Command.addChannel(ChannelSpecification(app: productionApp))
    ),
    ("channel.delete: \(channel)", .deleteChannel(ChannelReference(id: channel))),
    (
      "channel.delete: { channel: \(channel), app: com.example.app }",
      .deleteChannel(ChannelReference(id: channel, app: productionApp))
    ),
    (
      "channel.subscribe: { device: bob, channel: \(channel) }",
      .setSubscribed(device: "bob", ChannelReference(id: channel), true)
    ),
    (
      "channel.unsubscribe: { device: bob, channel: \(channel), app: com.example.app }",
      .setSubscribed(device: "bob", ChannelReference(id: channel, app: productionApp), false)
    ),
    (
      "app.broadcast: { app: com.example.app, broadcast: false }",
      .setBroadcast(bundleId: "com.example.app", false)
    ),
  ])
  func `change as time passes`(text: String, expected: Command) throws {
    let file = "channels: [{ app: com.example.app, id: \(channel) }]\ntimeline: [{ at: 1s, do: { \(text) } }]"
    #expect(try script(file).scenario.timeline.map(\.action) == [.perform(expected)])
  }
}
