import Testing

@testable import APNSimCore

@Suite struct `The setup of a world` {
  private static let later = Moment.start + .hours(1)

  private static func scenario(
    clock: ClockSetting? = nil,
    seed: UInt64? = nil,
    _ settings: (String, String)...
  ) -> Scenario {
    var scenario = Scenario()
    scenario.clock = clock
    scenario.seed = seed
    scenario.settings = settings.map { SettingAssignment(name: $0.0, text: $0.1) }
    return scenario
  }

  private static func first(_ scenario: Scenario) -> Setup {
    Setup(Configuration(), scenario, seed: 7, wall: Moment.start)
  }

  @Test func `a scenario's settings and seed hold on top of those of the start, not of another scenario's`()
    throws
  {
    let second = try Self.first(Self.scenario())
      .following(Self.scenario(seed: 8, ("tokens", "known")), wall: Self.later)
    #expect(second.configuration.tokens == .known)
    #expect(second.seed == 8)
    let third = try second.following(Self.scenario(("payload", "lenient")), wall: Self.later)
    #expect(third.configuration.tokens == .any)
    #expect(third.configuration.payload == .lenient)
    #expect(third.seed == 7)
  }

  @Test func `a reset keeps settings and seed`() throws {
    let second = try Self.first(Self.scenario())
      .following(Self.scenario(seed: 8, ("tokens", "known")), wall: Self.later)
    let again = second.again(wall: Self.later)
    #expect(again.configuration == second.configuration)
    #expect(again.seed == 8)
  }

  @Test func `the amount that is kept is not a scenario's to set`() throws {
    let second = try Self.first(Self.scenario())
      .following(Self.scenario(("keep", "1000")), wall: Self.later)
    #expect(second.configuration.limits == Limits())
  }

  @Test func `a virtual clock without a start starts again where it did, a real one at the wall's time`()
    throws
  {
    let virtual = Self.scenario(clock: .virtual(start: nil))
    let first = Self.first(virtual)
    #expect(first.start == Moment.start)
    #expect(first.again(wall: Self.later).start == Moment.start)
    #expect(try first.following(virtual, wall: Self.later).start == Moment.start)
    let real = try first.following(Self.scenario(clock: .real), wall: Self.later)
    #expect(real.start == Self.later)
    #expect(real.clock == .real)
    #expect(try real.following(virtual, wall: Self.later).start == Self.later)
  }

  @Test func `a setting that cannot be is an error`() {
    #expect(throws: CommandError.self) {
      try Self.first(Self.scenario()).following(Self.scenario(("tokens", "some")), wall: Self.later)
    }
  }
}
