import APNSimCore
import APNSimWire
import Testing

/// The device of a notification, as the history and the journal tell it.
@Suite struct `A notification's device` {
  @Test(arguments: [
    (Rule.Action.reply(Reply(status: .invalidToken)), Outcome.rejected), (.fault(.swallow), .dropped),
  ])
  func `a notification's device is told also where a rule decided`(_ action: Rule.Action, _ outcome: Outcome)
    throws
  {
    let simulator = try Samples.simulator()
    try simulator.perform(.addRule(Rule(times: 1, action: action)))
    try CoreProvider(samples: simulator).send(Samples.frame(1))
    let view = try #require(simulator.notification(1))
    #expect(view.outcome == outcome)
    #expect(view.device == "alice")
    #expect(simulator.lines(1).contains(#""device":"alice""#))
  }

  @Test func `a notification's device is told of what an error discards, and of nobody's token none is`()
    throws
  {
    let simulator = try Samples.simulator()
    let nobody = [UInt8](repeating: 9, count: 32)
    try CoreProvider(samples: simulator).send(
      Samples.frame(1, to: nobody) + Samples.frame(2, to: Samples.offline) + Samples.frame(3, to: nobody)
    )
    #expect(simulator.outcomes == [.rejected, .discarded, .discarded])
    #expect(simulator.notifications().map(\.device) == [nil, "bob", nil])
  }

  @Test func `a notification's device stays when the device is removed and others come`() throws {
    let simulator = try Samples.simulator { $0.tokens = .any }
    let provider = try CoreProvider(samples: simulator)
    let stranger = [UInt8](repeating: 9, count: 32)
    provider.send(Samples.frame(1) + Samples.frame(2, to: stranger))
    let before = simulator.lines(2)

    try simulator.perform(.removeDevice("alice"))
    for name in ["carol", "dave", "alice"] {
      try simulator.perform(
        .putDevice(DeviceSpecification(name: name, apps: [AppSpecification(app: Samples.app)]))
      )
    }
    // The token that was met without a name gets one.
    try simulator.perform(
      .putDevice(
        DeviceSpecification(name: "erin", apps: [AppSpecification(app: Samples.app, token: stranger)])
      )
    )
    provider.send(Samples.frame(3, to: stranger))

    #expect(simulator.notifications().map(\.device) == ["alice", Hex.encode(stranger), "erin"])
    #expect(simulator.lines(2) == before)
    for (name, expected) in [("alice", ["n1"]), ("carol", []), ("erin", ["n3"])] {
      let query = Query([Query.Condition(path: "device", matcher: .equals(.string(name)))])
      let found = simulator.notifications(from: 1, limit: 10, matching: CompiledQuery(query)).views.map(\.id)
      #expect(found == expected, "\(name)")
    }
  }

  @Test func `a notification's device is forgotten with the notification`() throws {
    let simulator = try Samples.simulator { $0.limits.keep = 2 }
    let provider = try CoreProvider(samples: simulator)
    let byName = CompiledQuery(Query([Query.Condition(path: "device", matcher: .equals(.string("phone")))]))
    for round in UInt32(1)...20 {
      let token = Samples.big(round) + [UInt8](repeating: 7, count: 28)
      try simulator.perform(
        .putDevice(
          DeviceSpecification(name: "phone", apps: [AppSpecification(app: Samples.app, token: token)])
        )
      )
      provider.send(Samples.frame(round, to: token))
      try simulator.perform(.removeDevice("phone"))
      let found = simulator.notifications(from: 1, limit: 10, matching: byName).views.map(\.number)
      #expect(found == (round == 1 ? [1] : [UInt64(round) - 1, UInt64(round)]))
    }
  }
}

extension Simulator {
  /// The journal's lines of the first so many notifications.
  fileprivate func lines(_ count: Int) -> String {
    String(decoding: readJournal { _ in 0 }.next().lines, as: UTF8.self).split(separator: "\n")
      .filter { $0.contains(#""event":"notification""#) }.prefix(count).joined(separator: "\n")
  }
}
