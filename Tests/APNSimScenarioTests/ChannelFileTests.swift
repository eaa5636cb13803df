import APNSimCore
import APNSimScenario
import APNSimWire
import Testing

private let channel = "tvI2UK0vEfEAAA6GFnjo2Q=="

@Suite struct `Channels of a file` {
  @Test func `channels of a file have an app, an identifier, a policy and subscribers`() throws {
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

  @Test func `channels of a file belong to apps that may broadcast`() throws {
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
  func `channels of a file change as time passes`(text: String, expected: Command) throws {
    let file = "channels: [{ app: com.example.app, id: \(channel) }]\ntimeline: [{ at: 1s, do: { \(text) } }]"
    #expect(try script(file).scenario.timeline.map(\.action) == [.perform(expected)])
  }
}
