import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@Suite struct `A change of a device` {
  private static let other = AppKey(topic: "com.example.other", environment: .production)

  private func change(_ simulator: Simulator, _ change: DeviceChange) throws {
    try simulator.perform(.changeDevice(change))
  }

  @Test func `a change of a device leaves what it does not name as it is`() throws {
    let simulator = try Samples.simulator()
    let before = try #require(simulator.device("alice"))
    try change(simulator, DeviceChange(device: "alice", languages: ["fr"]))
    try change(simulator, DeviceChange(device: "alice", isOnline: false))
    let app = DeviceChange.Apps.one(topic: Self.other.topic, environment: nil, .init(isInstalled: true))
    try change(simulator, DeviceChange(device: "alice", apps: app))
    let after = try #require(simulator.device("alice"))
    #expect(after.languages == ["fr"] && !after.isOnline)
    #expect(after.apps.map(\.app) == [Samples.app, Self.other])
    #expect(after.apps.first == before.apps.first)
  }

  @Test func `a change is of one app, in the environment that is named or in all of the device's`() throws {
    let simulator = try Samples.simulator()
    let sandbox = AppKey(topic: Samples.topic, environment: .sandbox)
    func apps() -> [Bool] { simulator.device("alice")?.apps.map(\.isInstalled) ?? [] }
    func set(_ environment: PushEnvironment?, _ isInstalled: Bool) throws {
      let state = DeviceChange.AppState(isInstalled: isInstalled)
      let one = DeviceChange.Apps.one(topic: Samples.topic, environment: environment, state)
      try change(simulator, DeviceChange(device: "alice", apps: one))
    }
    try set(.sandbox, true)
    #expect(simulator.device("alice")?.apps.map(\.app) == [Samples.app, sandbox])
    try set(.sandbox, false)
    #expect(apps() == [true, false])
    try set(nil, false)
    #expect(apps() == [false, false])
    try set(nil, true)
    #expect(apps() == [true, true])
    #expect(throws: CommandError.appNotOnDevice(device: "bob", app: sandbox)) {
      let one = DeviceChange.Apps.one(
        topic: Samples.topic,
        environment: .sandbox,
        .init(isInstalled: false)
      )
      try change(simulator, DeviceChange(device: "bob", apps: one))
    }
  }

  @Test func `a change of a token leaves the app what it has got and what waits for it, with its time`()
    throws
  {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    let badge = #"{"aps":{"alert":"hi","badge":4}}"#
    try simulator.perform(.setOnline(device: "bob", true))
    provider.send(Samples.frame(1, to: Samples.offline, payload: badge))
    try simulator.perform(.setOnline(device: "bob", false))
    for number in UInt32(2)...3 {
      provider.send(Samples.frame(number, to: Samples.offline, expiry: 1_400_000_000))
    }
    for byte in UInt8(1)...2 {
      let token = [UInt8](repeating: byte, count: 32)
      try change(simulator, DeviceChange(device: "bob", apps: .every(.init(token: .given(token)))))
      #expect(simulator.device("bob")?.apps.first?.token == token)
      #expect(simulator.device("bob")?.apps.first?.badge == 4)
      #expect(simulator.inbox(of: "bob")?.notifications.map(\.number) == [1])
      #expect(simulator.stored(for: "bob")?.map(\.number) == [3])
    }
    #expect(simulator.outcomes == [.delivered, .replaced, .stored])
    let expired = try Samples.simulator()
    try CoreProvider(samples: expired).send(Samples.frame(1, to: Samples.offline))
    try change(expired, DeviceChange(device: "bob", apps: .every(.init(token: .issued))))
    try expired.perform(.advanceClock(.days(29)))
    #expect(expired.outcomes == [.expired] && expired.stored(for: "bob")?.isEmpty == true)
    try simulator.perform(.setOnline(device: "bob", true))
    #expect(simulator.outcomes == [.delivered, .replaced, .delivered])
    #expect(simulator.inbox(of: "bob")?.notifications.map(\.number) == [1, 3])
  }

  @Test func `a change that removes an app as it gives it another token leaves no badge`() throws {
    let simulator = try Samples.simulator()
    try CoreProvider(samples: simulator).send(Samples.frame(1, payload: #"{"aps":{"alert":"hi","badge":4}}"#))
    let token = [UInt8](repeating: 1, count: 32)
    let state = DeviceChange.AppState(token: .given(token), isInstalled: false)
    try change(simulator, DeviceChange(device: "alice", apps: .every(state)))
    #expect(simulator.device("alice")?.apps.map(\.badge) == [0])
  }

  @Test func `a change that takes an app or the device away leaves nothing waiting for it`() throws {
    let other = AppSpecification(app: Self.other)
    for command in [
      Command.removeDevice("bob"), .removeApp(device: "bob", Samples.app),
      .putDevice(DeviceSpecification(name: "bob", isOnline: false, apps: [other])),
      .changeDevice(DeviceChange(device: "bob", apps: .exactly([other]))),
    ] {
      let simulator = try Samples.simulator()
      let journal = MemoryJournal(simulator)
      try CoreProvider(samples: simulator).send(Samples.frame(1, to: Samples.offline))
      try simulator.perform(command)
      #expect(simulator.outcomes == [.refused], "\(command)")
      let event = #""event":"refused","notification":"n1","device":"bob""#
      #expect(journal.text.contains(event), "\(journal.text)")
      #expect(simulator.notifications().first?.explanations.last?.detail?.hasPrefix("refused: ") == true)
    }
  }

  @Test func `a change of a device gives an app another token where one is given, or an issued one`() throws {
    let simulator = try Samples.simulator()
    let token = [UInt8](repeating: 0xD4, count: 32)
    for source in [TokenSource.given(token), .issued] {
      let state = DeviceChange.AppState(token: source)
      try change(simulator, DeviceChange(device: "alice", apps: .every(state)))
      let app = try #require(simulator.device("alice")?.apps.first)
      #expect((app.token == token) == (source == .given(token)))
      #expect(app.isIssued == (source == .issued))
      #expect(app.isInstalled)
    }
    try simulator.perform(.putDevice(DeviceSpecification(name: "carol")))
    #expect(throws: CommandError.tokenForNoApp(device: "carol")) {
      try change(simulator, DeviceChange(device: "carol", apps: .every(.init(token: .issued))))
    }
  }

  @Test func `a change that cannot be made leaves no app behind`() throws {
    let simulator = try Samples.simulator { $0.limits.apps = 3 }
    func key(_ name: String) -> AppKey { AppKey(topic: "com.example.\(name)", environment: .production) }
    let taken = [
      AppSpecification(app: key("ghost")), AppSpecification(app: Samples.app, token: Samples.offline),
    ]
    let many = ["a", "b", "c"].map { AppSpecification(app: key($0)) }
    for apps in [taken, many] {
      let device = DeviceSpecification(name: "carol", apps: apps)
      #expect(throws: CommandError.self) { try simulator.perform(.putDevice(device)) }
    }
    #expect(simulator.apps() == [Samples.app] && simulator.device("carol") == nil)
    try simulator.perform(.putDevice(DeviceSpecification(name: "carol", apps: Array(many.prefix(2)))))
    #expect(simulator.apps().count == 3)
  }

  @Test func `a change gives no device more apps than a device may have`() throws {
    let simulator = try Samples.simulator { $0.limits.deviceApps = 2 }
    func install(_ topic: String) throws {
      let one = DeviceChange.Apps.one(topic: topic, environment: nil, .init(isInstalled: true))
      try change(simulator, DeviceChange(device: "alice", apps: one))
    }
    try install("com.example.b")
    let refusal = CommandError.tooManyAppsOnDevice(device: "alice", count: 3, limit: 2)
    #expect(throws: refusal) { try install("com.example.c") }
    #expect(refusal.description == "device \"alice\" would have 3 apps; a device has 2 at most")
    #expect(simulator.device("alice")?.apps.count == 2)
    let apps = (1...3).map {
      AppSpecification(app: AppKey(topic: "com.example.\($0)", environment: .production))
    }
    #expect(throws: CommandError.self) {
      try simulator.perform(.putDevice(DeviceSpecification(name: "dave", apps: apps)))
    }
    #expect(simulator.device("dave") == nil)
  }
}
