import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `A setup that is kept` {
  /// The texts of one scenario.
  private struct OneScenario: StateTexts {
    struct Unknown: Error {}
    var known: Scenario?

    func scenario(_ json: [UInt8]) throws -> Scenario {
      var writer = JSONWriter()
      known?.write(to: &writer)
      guard let known, writer.bytes == json else { throw Unknown() }
      return known
    }

    func command(_ json: [UInt8]) throws -> Command { throw Unknown() }
  }

  private static var first: Scenario {
    var scenario = Scenario()
    (scenario.name, scenario.clock) = ("first", .virtual(start: nil))
    return scenario
  }

  private static var second: Scenario {
    var scenario = Scenario()
    (scenario.name, scenario.clock, scenario.seed) = ("second", .virtual(start: Moment.start), 9)
    scenario.settings = [SettingAssignment(name: "tokens", text: "known")]
    return scenario
  }

  private static func bytes(_ setup: Setup) -> [UInt8] { StateBytes.of { setup.write(to: &$0) } }

  private static func read(_ bytes: [UInt8], _ texts: Scenario? = nil) throws -> Setup {
    try StateBytes.read(bytes) {
      try setup(from: &$0, OneScenario(known: texts))
    }
  }

  private static func setup(from state: inout StateReader, _ texts: OneScenario) throws(StateError) -> Setup {
    let issuer = SeededTokenIssuer(seed: 7)
    return try Setup(reading: &state, Configuration(), first, issuer: issuer, texts: texts)
  }

  private static func expectSame(_ known: Setup, _ setup: Setup) {
    #expect(known.configuration == setup.configuration && known.scenario == setup.scenario)
    #expect(known.seed == setup.seed && known.start == setup.start && known.clock == setup.clock)
    #expect(bytes(known) == bytes(setup))
  }

  @Test func `a setup that is kept has the scenario of the start where no other one came`() throws {
    let setup = Setup(Configuration(), Self.first, seed: 7, wall: Moment.start)
    let bytes = Self.bytes(setup)
    let known = try Self.read(bytes)
    Self.expectSame(known, setup)
    let later = Moment.start + .hours(1)
    Self.expectSame(known.again(wall: later), setup.again(wall: later))
    Self.expectSame(try Self.read(Self.bytes(setup.again(wall: later))), setup.again(wall: later))
    StateBytes.expectNoPrefix(of: bytes) {
      try Self.setup(from: &$0, OneScenario())
    }
  }

  @Test
  func `a setup that is kept has another scenario with its settings and seed, and goes on from the start's`()
    throws
  {
    let later = Moment.start + .hours(1)
    let setup = try Setup(Configuration(), Self.first, seed: 7, wall: Moment.start)
      .following(Self.second, wall: later)
    let known = try Self.read(Self.bytes(setup), Self.second)
    Self.expectSame(known, setup)
    #expect(known.configuration.tokens == .known && known.seed == 9)
    let next = try known.following(Self.first, wall: later)
    Self.expectSame(next, try setup.following(Self.first, wall: later))
    #expect(next.seed == 7 && next.configuration.tokens == Configuration().tokens)
  }

  @Test func `a setup that is kept is refused where its scenario cannot be read`() throws {
    let setup = try Setup(Configuration(), Self.first, seed: 7, wall: Moment.start)
      .following(Self.second, wall: Moment.start)
    #expect(throws: StateError.self) { try Self.read(Self.bytes(setup)) }
  }
}
