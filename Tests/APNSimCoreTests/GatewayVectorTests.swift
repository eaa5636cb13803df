import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@Suite struct `Gateway vectors against the pure core` {
  @Test(arguments: GatewayVector.all)
  func `a vector gets its answer however it is cut`(vector: GatewayVector) throws {
    for cuts in Cuts.all {
      try check(vector, cuts, vector.expected, configuration: vector.configuration())
    }
  }

  @Test(arguments: GatewayVector.all.filter { $0.lenient != nil })
  func `a vector gets its lenient answer`(vector: GatewayVector) throws {
    let expected = try #require(vector.lenient)
    let simulator = try check(
      vector,
      .whole,
      expected,
      configuration: vector.configuration(lenient: true)
    )
    let last = try #require(simulator.notifications().last)
    #expect((last.outcome == .dropped) == vector.deviceDrops)
  }

  @Test func `the file of vectors was read`() {
    #expect(GatewayVector.all.count >= 56)
  }

  @discardableResult
  private func check(
    _ vector: GatewayVector,
    _ cuts: Cuts,
    _ expected: GatewayVector.Expected,
    configuration: Configuration
  ) throws -> Simulator {
    var scenario = Scenario()
    scenario.devices = GatewayVector.devices
    let simulator = try Simulator(
      configuration: configuration,
      scenario: scenario,
      seed: 1,
      start: Moment.start
    )
    let provider = try CoreProvider(simulator)
    for piece in cuts.pieces(of: vector.send) { provider.send(piece) }
    #expect(provider.reply == expected.reply, "\(cuts)")
    #expect((provider.ending != .none) == expected.closes)
    let accepted = simulator.notifications().filter(\.outcome.isAccepted).map(\.token)
    #expect(accepted == expected.accepted)
    if let delivered = vector.delivered {
      let inboxes = simulator.devices().filter {
        simulator.inbox(of: $0.name)?.notifications.isEmpty == false
      }
      #expect(inboxes.flatMap(\.apps).map(\.token) == delivered)
    }
    if let stored = vector.stored {
      #expect(simulator.devices().flatMap(\.apps).filter { $0.stored != nil }.map(\.token) == stored)
    }
    if let payload = vector.storedPayload {
      #expect(simulator.stored(for: "offline")?.map(\.payload) == [payload])
    }
    let counts = try #require(simulator.connection(provider.connection.id)).counts
    #expect(counts.accepted + counts.rejected + counts.discarded == counts.received)
    return simulator
  }
}
