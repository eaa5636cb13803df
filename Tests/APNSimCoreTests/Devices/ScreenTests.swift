import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `The screen of a device` {
  private static func push(
    _ provider: CoreRequester,
    _ collapseId: String?,
    to token: [UInt8] = Samples.online,
    body: String = #"{"aps":{"alert":"hi"}}"#
  ) {
    let headers = collapseId.map { [("apns-collapse-id", $0)] } ?? []
    provider.send(
      provider.request(to: Hex.encode(token), headers: [("apns-push-type", "alert")] + headers, body: body)
    )
  }

  @Test
  func
    `a later push with the same collapse identifier takes the place on the screen, and both are in the inbox`()
    throws
  {
    let simulator = try Samples.simulator()
    let provider = try CoreRequester(simulator)
    for name in ["score", nil, "score", "other", "score"] { Self.push(provider, name) }
    let inbox = try #require(simulator.inbox(of: "alice")?.notifications)
    #expect(inbox.map(\.number) == [1, 2, 3, 4, 5])
    #expect(inbox.map(\.screen?.hiddenBy) == [3, nil, 5, nil, nil])
    let shown = try #require(simulator.inbox(of: "alice", shown: true)?.notifications)
    #expect(shown.map(\.number) == [2, 4, 5])
    let page = try #require(simulator.inbox(of: "alice", limit: 2, shown: true))
    #expect(page.notifications.map(\.number) == [2, 4] && page.next != nil)
    let rest = simulator.inbox(of: "alice", after: page.next ?? 0, limit: 2, shown: true)
    #expect(rest?.notifications.map(\.number) == [5] && rest?.next == nil)
  }

  @Test func `a push that shows nothing replaces nothing, nor does one of another device or of the gateway`()
    throws
  {
    let simulator = try Samples.simulator()
    let provider = try CoreRequester(simulator)
    try simulator.perform(.setOnline(device: "bob", true))
    Self.push(provider, "score")
    Self.push(provider, "score", body: #"{"aps":{"content-available":1}}"#)
    Self.push(provider, "score", to: Samples.offline)
    try CoreProvider(samples: simulator).send(Samples.frame(1))
    let inbox = simulator.inbox(of: "alice")?.notifications
    #expect(inbox?.map(\.screen?.hiddenBy) == [nil, nil, nil])
    #expect(simulator.inbox(of: "alice", shown: true)?.notifications.map(\.number) == [1, 4])
  }

  @Test func `what waited replaces in the order of its delivery`() throws {
    let simulator = try Samples.simulator { $0.storedPerApp = .collapseId }
    let provider = try CoreRequester(simulator)
    for name in ["a", "b"] { Self.push(provider, name, to: Samples.offline) }
    try simulator.perform(.setOnline(device: "bob", true))
    Self.push(provider, "a", to: Samples.offline)
    #expect(simulator.inbox(of: "bob")?.notifications.map(\.screen?.hiddenBy) == [3, nil, nil])
  }

  @Test func `entries of an inbox and of a store say how they came`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreRequester(simulator)
    for token in [Samples.online, Samples.offline] {
      let headers = [
        ("apns-push-type", "alert"), ("apns-collapse-id", "score"), ("apns-priority", "5"),
        ("apns-id", "123e4567-e89b-12d3-a456-426655440000"),
      ]
      provider.send(provider.request(to: Hex.encode(token), headers: headers))
    }
    let stored = try #require(simulator.stored(for: "bob")?.first)
    let delivered = try #require(simulator.inbox(of: "alice")?.notifications.first)
    for origin in [stored.origin, delivered.origin] {
      #expect(origin?.interface == "http2" && origin?.pushType == "alert" && origin?.collapseId == "score")
      #expect(origin?.apnsId == "123e4567-e89b-12d3-a456-426655440000" && origin?.priority == 5)
    }
    #expect(stored.screen == nil && delivered.screen != nil)
    try CoreProvider(samples: simulator).send(Samples.frame(1) + Samples.frame(2, to: Samples.offline))
    let frames = [
      simulator.stored(for: "bob")?.first?.origin, simulator.inbox(of: "alice")?.notifications.last?.origin,
    ]
    for origin in frames {
      #expect(origin?.interface == "binary" && origin?.priority == 10)
      #expect(origin?.apnsId == nil && origin?.pushType == nil && origin?.collapseId == nil)
    }
    try simulator.perform(.clearHistory)
    #expect(simulator.stored(for: "bob")?.first?.origin == DeviceNotification.Origin())
  }
}
