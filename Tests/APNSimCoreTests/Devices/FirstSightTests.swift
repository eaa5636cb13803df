import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@Suite struct `A device made on first sight` {
  private static let token = [UInt8](repeating: 9, count: 32)
  private static let name = Hex.encode(token)
  private static let french = Command.changeDevice(DeviceChange(device: name, languages: ["fr"]))
  private static let installation = DeviceChange.Apps.one(
    topic: "com.example.other",
    environment: nil,
    .init(isInstalled: true)
  )
  private static let whole = DeviceSpecification(
    name: name,
    isOnline: false,
    apps: [AppSpecification(app: Samples.app, token: token)]
  )
  private static let commands: [Command] = [
    french, .changeDevice(DeviceChange(device: name, apps: installation)), .putDevice(whole),
  ]

  @Test(arguments: commands)
  func `a device made on first sight keeps what it has got and what waits when it gets a name`(
    _ command: Command
  ) throws {
    let simulator = try Samples.simulator { $0.tokens = .any }
    let early = MemoryJournal(simulator)
    let provider = try CoreProvider(samples: simulator)
    provider.send(Samples.frame(1, to: Self.token, payload: #"{"aps":{"badge":7}}"#))
    try simulator.perform(.setOnline(device: Self.name, false))
    provider.send(Samples.frame(2, to: Self.token))
    #expect(simulator.devices().map(\.name) == ["alice", "bob"])
    try simulator.perform(command)

    let device = try #require(simulator.device(Self.name))
    #expect(device.apps.first?.badge == 7)
    #expect(device.apps.first?.stored == 2)
    #expect(!device.isOnline)
    #expect(simulator.inbox(of: Self.name)?.notifications.map(\.number) == [1])
    #expect(simulator.stored(for: Self.name)?.map(\.number) == [2])
    #expect(simulator.devices().map(\.name) == [Self.name, "alice", "bob"])
    let added = Self.lines(early).filter { $0.contains(#""event":"deviceAdded""#) }
    #expect(added.count == 3)
    #expect(added.last?.contains(Self.name) == true)

    provider.send(Samples.frame(3, to: Self.token))
    try simulator.perform(.setOnline(device: Self.name, true))
    #expect(simulator.outcomes == [.delivered, .replaced, .delivered])
    // A notification from before the name has none in its line, whenever that is written.
    #expect(Self.lines(MemoryJournal(simulator)) == Self.lines(early))
  }

  @Test func `a device made on first sight is not hidden by another that is named by its token`() throws {
    let simulator = try Samples.simulator { $0.tokens = .any }
    let namesake = [UInt8](repeating: 8, count: 32)
    try simulator.perform(
      .putDevice(
        DeviceSpecification(name: Self.name, apps: [AppSpecification(app: Samples.app, token: namesake)])
      )
    )
    // Until there is one, the name is a name like any other.
    #expect(simulator.device(Self.name)?.apps.map(\.token) == [namesake])
    try CoreProvider(samples: simulator).send(
      Samples.frame(1, to: Self.token) + Samples.frame(2, to: namesake)
    )
    #expect(simulator.device(Self.name)?.apps.map(\.token) == [Self.token])
    #expect(simulator.inbox(of: Self.name)?.notifications.map(\.number) == [1])
    #expect(simulator.inbox(of: Hex.encode(namesake))?.notifications.map(\.number) == [2])
    try simulator.perform(.setOnline(device: Self.name, false))
    #expect(simulator.device(Hex.encode(namesake))?.isOnline == true)
    // The name that it would get is not free, and nobody else gets its language.
    #expect(throws: CommandError.nameTaken(Self.name)) { try simulator.perform(Self.french) }
    #expect(simulator.device(Hex.encode(namesake))?.languages == [])
  }

  @Test func `a device made on first sight becomes one with a name where there is room for no other`() throws
  {
    let simulator = try Samples.simulator {
      $0.tokens = .any
      $0.limits.devices = 3
    }
    try CoreProvider(samples: simulator).send(Samples.frame(1, to: Self.token))
    try simulator.perform(Self.french)
    #expect(simulator.device(Self.name)?.languages == ["fr"])
    #expect(throws: CommandError.tooManyDevices(limit: 3)) {
      try simulator.perform(.putDevice(DeviceSpecification(name: "carol")))
    }
    try simulator.perform(.removeDevice(Self.name))
    try simulator.perform(.putDevice(DeviceSpecification(name: "carol")))
  }

  @Test func `a device made on first sight stays one without a name when its change cannot be`() throws {
    let simulator = try Samples.simulator { $0.tokens = .any }
    try CoreProvider(samples: simulator).send(Samples.frame(1, to: Self.token))
    let change = DeviceChange(device: Self.name, apps: .every(.init(token: .given(Samples.offline))))
    #expect(throws: CommandError.tokenTaken(app: Samples.app, device: "bob")) {
      try simulator.perform(.changeDevice(change))
    }
    #expect(simulator.devices().map(\.name) == ["alice", "bob"])
    #expect(simulator.inbox(of: Self.name)?.notifications.count == 1)
  }

  /// Without the header.
  private static func lines(_ journal: MemoryJournal) -> [Substring] {
    Array(journal.text.split(separator: "\n").dropFirst())
  }
}

@Suite struct `An issued token` {
  @Test func `an issued token is not taken from a named device that was given it`() throws {
    let simulator = try Samples.simulator()
    let carol = DeviceSpecification(name: "carol", apps: [AppSpecification(app: Samples.app)])
    try simulator.perform(.putDevice(carol))
    let token = try #require(simulator.device("carol")?.apps.first?.token)
    try simulator.perform(.removeDevice("carol"))
    let dave = DeviceSpecification(name: "dave", apps: [AppSpecification(app: Samples.app, token: token)])
    try simulator.perform(.putDevice(dave))
    #expect(throws: CommandError.tokenTaken(app: Samples.app, device: "dave")) {
      try simulator.perform(.putDevice(carol))
    }
    #expect(simulator.device("carol") == nil)
    #expect(simulator.device("dave")?.apps.map(\.token) == [token])
    try simulator.perform(.removeDevice("dave"))
    try simulator.perform(.putDevice(carol))
    #expect(simulator.device("carol")?.apps.map(\.token) == [token])
  }
}
