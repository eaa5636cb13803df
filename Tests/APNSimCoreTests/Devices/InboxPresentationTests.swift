import APNSimCore
import APNSimWire
import Testing

@Suite struct `What a device's user sees` {
  private let simulator: Simulator
  private let provider: CoreProvider

  init() throws {
    var scenario = Scenario()
    scenario.devices = Samples.devices
    scenario.devices[0].languages = ["fr", "en"]
    let languages = try StringsFixture.localization().languages
    scenario.bundles[Samples.app] = AppBundle(
      localizations: languages,
      developmentLanguage: "en",
      resources: AppResources(sounds: ["chime.aiff"])
    )
    simulator = try Simulator(scenario: scenario, seed: 1, start: Moment.start)
    provider = try CoreProvider(samples: simulator)
  }

  private func payload(_ json: String) -> [UInt8] { Samples.frame(1, payload: json) }

  @Test func `what a device's user sees is in its inbox, in its language and with its app's sounds`() throws {
    provider.send(
      payload(
        #"{"aps":{"alert":{"loc-key":"GAME_PLAY_REQUEST_FORMAT","loc-args":["Jenna","Frank"]},"#
          + #""badge":3,"sound":"ding.aiff"}}"#
      )
    )
    let shown = try #require(simulator.inbox(of: "alice")?.notifications.first?.presentation)
    #expect(shown.alert?.language == "fr")
    #expect(shown.alert?.text.contains("Jenna") == true)
    #expect(shown.badge == .set(3))
    #expect(shown.sound == .standard)
    #expect(simulator.device("alice")?.apps.first?.badge == 3)
    #expect(simulator.device("alice")?.languages == ["fr", "en"])
  }

  @Test func `what a device's user sees ends a page where strings make it large, and the next goes on there`()
    throws
  {
    let long = String(repeating: "Jenna", count: 20)
    let json = #"{"aps":{"alert":{"loc-key":"GAME_PLAY_REQUEST_FORMAT","loc-args":["\#(long)","Frank"]}}}"#
    for _ in 1...5 { provider.send(payload(json)) }
    let first = try #require(simulator.inbox(of: "alice", limit: 4, room: 600))
    #expect(first.notifications.map(\.id) == ["n1", "n2"])
    let afterTwo = try #require(first.next)
    let second = try #require(simulator.inbox(of: "alice", after: afterTwo, room: 1))
    #expect(second.notifications.map(\.id) == ["n3"])
    let afterThree = try #require(second.next)
    let last = try #require(simulator.inbox(of: "alice", after: afterThree, limit: 2))
    #expect(last.notifications.map(\.id) == ["n4", "n5"])
    #expect(last.next == nil)
  }

  @Test func `what a device's user sees is in the store too, and goes by what the device says it prefers`()
    throws
  {
    let json = #"{"aps":{"alert":{"loc-key":"GAME_PLAY_REQUEST_FORMAT","loc-args":["J","F"]}}}"#
    provider.send(Samples.frame(1, to: Samples.offline, payload: json))
    #expect(simulator.stored(for: "bob")?.first?.presentation?.alert?.language == "en")
    let bob = CoreDevice(simulator, named: "bob")
    bob.say(#"{"apps":[],"languages":["fr"]}"#)
    #expect(bob.notifications.first?["presentation.alert.language"] == .string("fr"))
  }

  @Test func `what a device's user sees is data that reads back from JSON`() throws {
    provider.send(payload(#"{"aps":{"alert":"hi"},"n":1e400}"#))
    let notification = try #require(simulator.inbox(of: "alice")?.notifications.first)
    var writer = JSONWriter()
    writer.beginObject()
    notification.writeMembers(to: &writer)
    writer.endObject()
    let value = try JSONValue.parse(writer.bytes)
    #expect(
      value.objectValue?.map(\.key) == [
        "id", "time", "topic", "environment", "identifier", "interface", "apnsId", "pushType", "collapseId",
        "priority", "hiddenBy", "payload", "payloadBase64", "payloadSize", "presentation",
      ]
    )
    #expect(value["payload.n"] == .number("1e400"))
    #expect(value["presentation.alert.buttons"] == .array([.string("Close"), .string("View")]))
  }
}
