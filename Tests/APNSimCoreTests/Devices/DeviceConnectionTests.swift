import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@Suite struct `A connected device` {
  @Test func `a connected device gets its tokens first, then what waited, then what comes`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    for number in UInt32(1)...2 { provider.send(Samples.frame(number, to: Samples.offline)) }
    let bob = CoreDevice(simulator, named: "bob")
    #expect(simulator.device("bob")?.isOnline == false)
    bob.connect(Samples.topic)
    provider.send(Samples.frame(3, to: Samples.offline))

    #expect(bob.kinds == ["device", "notification", "notification"])
    #expect(bob.token() == Samples.offline)
    #expect(bob.notifications.map { $0["identifier"] } == [.string("00000002"), .string("00000003")])
    #expect(bob.notifications.last?["payload.aps.alert"] == .string("hi"))
    #expect(bob.notifications.last?["presentation.alert.text"] == .string("hi"))
    #expect(simulator.outcomes == [.replaced, .delivered, .delivered])
    #expect(simulator.device("bob")?.connection == bob.connection.id)
  }

  @Test func `a connected device is online, a disconnected one is offline`() throws {
    let simulator = try Samples.simulator()
    let journal = MemoryJournal(simulator)
    let provider = try CoreProvider(samples: simulator)
    let carol = CoreDevice(simulator, named: "carol")
    carol.connect(Samples.topic)
    let token = try #require(carol.token())
    #expect(simulator.device("carol")?.isOnline == true)
    carol.close()
    #expect(simulator.device("carol")?.isOnline == false)
    #expect(simulator.device("carol")?.connection == nil)
    provider.send(Samples.frame(1, to: token))
    #expect(simulator.outcomes == [.stored])

    let again = CoreDevice(simulator, named: "carol")
    again.connect()
    #expect(again.token() == token)
    #expect(again.notifications.count == 1)
    #expect(simulator.outcomes == [.delivered])
    let names = journal.text.split(separator: "\n").compactMap { line in
      (try? JSONValue.parse(line.utf8))?["event"]?.stringValue
    }
    #expect(
      names.filter { $0.hasPrefix("device") || $0.hasPrefix("bytes") || $0 == "delivered" } == [
        "deviceAdded", "deviceAdded",  // The scenario's.
        "bytesIn", "deviceAdded", "bytesOut", "deviceOnline", "deviceOffline", "bytesIn", "bytesOut",
        "deviceOnline", "delivered",
      ]
    )
  }

  @Test(arguments: KillMode.allCases)
  func `a connected device is offline from when its connection is ended, however long it stays`(how: KillMode)
    throws
  {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    let bob = CoreDevice(simulator, named: "bob")
    bob.connect(Samples.topic)
    try simulator.perform(.endConnection(bob.connection.id, how))
    #expect(simulator.device("bob")?.isOnline == false && simulator.device("bob")?.connection == nil)
    #expect(throws: CommandError.unknownConnection(bob.connection.id)) {
      try simulator.perform(.endConnection(bob.connection.id, how))
    }
    bob.say(#"{"install":{"topic":"com.example.other"}}"#)
    provider.send(Samples.frame(1, to: Samples.offline))
    bob.close()
    #expect(simulator.outcomes == [.stored] && bob.notifications.isEmpty)
    let again = CoreDevice(simulator, named: "bob")
    again.connect(Samples.topic)
    #expect(simulator.outcomes == [.delivered] && again.notifications.count == 1)
  }

  @Test func `the newest of two connections wins, and gets what the older had not sent`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    let older = CoreDevice(simulator, named: "bob")
    older.connect(Samples.topic)
    older.reads = false
    provider.send(Samples.frame(1, to: Samples.offline))

    let newer = CoreDevice(simulator, named: "bob", outlet: false)
    #expect(simulator.device("bob")?.connection == older.connection.id)
    newer.connect(Samples.topic)
    older.reads = true
    older.read()
    #expect(older.kinds == ["device", "closed"])
    #expect(older.lines.last?["closed.reason"] == .string("replaced"))
    #expect(older.isEnded)
    #expect(newer.kinds == ["device", "notification"])
    older.close()
    #expect(simulator.device("bob")?.isOnline == true)
    newer.close()
    #expect(simulator.device("bob")?.isOnline == false)
  }

  @Test func `an operator who takes it offline or removes it ends its connection`() throws {
    let simulator = try Samples.simulator()
    for command in [Command.setOnline(device: "bob", false), .removeDevice("bob")] {
      let bob = CoreDevice(simulator, named: "bob")
      bob.connect(Samples.topic)
      try simulator.perform(command)
      #expect(bob.kinds == ["device", "closed"])
      #expect(bob.isEnded)
      bob.close()
    }
    #expect(simulator.device("bob") == nil)
  }

  @Test func `an app is installed and removed by a line`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    let bob = CoreDevice(simulator, named: "bob")
    bob.connect()
    bob.say(#"{"uninstall":{"topic":"\#(Samples.topic)"}}"#)
    #expect(bob.token() == nil)
    provider.send(Samples.frame(1, to: Samples.offline))
    #expect(simulator.outcomes == [.refused])
    #expect(simulator.feedback(for: Samples.app).map(\.token) == [Samples.offline])

    bob.say(#"{"install":"\#(Samples.topic)"}"#)
    #expect(bob.token() == Samples.offline)
    bob.say(#"{"install":{"topic":"com.example.second","environment":"sandbox"}}"#)
    #expect(bob.token("com.example.second")?.count == 32)
    #expect(bob.lines.count == 4)
  }

  @Test func `an app that is not named stays as it is, and one that was removed is back`() throws {
    let simulator = try Samples.simulator()
    let bob = CoreDevice(simulator, named: "bob")
    bob.connect("com.example.second")
    #expect(bob.token() == Samples.offline)
    try simulator.perform(.setInstalled(device: "bob", app: Samples.app, false))
    #expect(bob.kinds == ["device", "device"])
    #expect(bob.token() == nil)
    bob.connect(Samples.topic)
    #expect(bob.token() == Samples.offline)
  }

  @Test func `a batch wakes its connection once`() throws {
    let simulator = try Samples.simulator()
    let provider = try CoreProvider(samples: simulator)
    let bob = CoreDevice(simulator, named: "bob")
    bob.connect(Samples.topic)
    #expect(bob.wakes == 0)
    provider.simulator.setOutlet(bob)
    provider.send((1...100).flatMap { Samples.frame($0, to: Samples.offline) })
    #expect(bob.wakes == 1)
    #expect(bob.notifications.count == 100)
  }

  @Test func `a device that does not read goes offline, and what comes then is stored`() throws {
    let simulator = try Samples.simulator { $0.limits.deviceQueueBytes = 4096 }
    let journal = MemoryJournal(simulator)
    let provider = try CoreProvider(samples: simulator)
    let bob = CoreDevice(simulator, named: "bob")
    bob.connect(Samples.topic)
    bob.reads = false
    simulator.setOutlet(bob)
    provider.send((1...100).flatMap { Samples.frame($0, to: Samples.offline) })
    #expect(simulator.device("bob")?.isOnline == false)
    let delivered = simulator.outcomes.count { $0 == .delivered }
    #expect((1..<100).contains(delivered))
    #expect(simulator.outcomes.last == .stored)
    #expect(simulator.outcomes.count { $0 == .replaced } == 99 - delivered)

    bob.reads = true
    bob.read()
    #expect(bob.kinds == ["device", "closed"])
    #expect(bob.lines.last?["closed.reason"] == .string("tooSlow"))
    bob.close()
    #expect(journal.text.contains(#""delivered":\#(delivered),"lost":\#(delivered)}"#))

    let again = CoreDevice(simulator, named: "bob")
    again.connect()
    #expect(again.notifications.map { $0["identifier"] } == [.string("00000064")])
  }
}
