import APNSimWire

/// The origin of a world: configuration, scenario, seed, the moment it began and the maker of its tokens. It never
/// changes; a new beginning makes a world from another one.
struct Setup {
  /// The settings of the process, before any scenario that came later.
  private struct Origin {
    let configuration: Configuration
    let seed: UInt64
    let issuer: any TokenIssuing
  }

  /// The same object in all setups of one scenario, whenever they begin.
  private final class Identity: Sendable {}

  private let origin: Origin
  private let identity: Identity
  let configuration: Configuration
  /// The settings of the configuration that bear on requests.
  let requestRules: RequestRules
  let scenario: Scenario
  /// True for the scenario that the process was started with, until another one comes.
  private let isOfStart: Bool
  let seed: UInt64
  /// The simulated time at which everything began.
  private(set) var start: Timestamp
  /// The maker of tokens for devices that are given none. Its key is not part of the state.
  var issuer: any TokenIssuing { origin.issuer }

  /// The setup that a process starts with.
  /// - Parameters:
  ///   - issuer: from the seed where nil.
  ///   - wall: the wall time, where the clock starts unless the scenario says.
  init(
    _ configuration: Configuration,
    _ scenario: Scenario,
    seed: UInt64,
    issuer: (any TokenIssuing)? = nil,
    wall: Timestamp
  ) {
    self.init(
      Origin(configuration: configuration, seed: seed, issuer: issuer ?? SeededTokenIssuer(seed: seed)),
      configuration,
      scenario,
      isOfStart: true,
      seed,
      start: Self.start(of: scenario, virtual: wall, wall)
    )
  }

  private init(
    _ origin: Origin,
    _ configuration: Configuration,
    _ scenario: Scenario,
    isOfStart: Bool,
    _ seed: UInt64,
    start: Timestamp
  ) {
    self.origin = origin
    identity = Identity()
    self.configuration = configuration
    requestRules = RequestRules(configuration)
    self.scenario = scenario
    self.isOfStart = isOfStart
    self.seed = seed
    self.start = start
  }

  /// - Parameter virtual: where a virtual clock starts unless the scenario says.
  private static func start(of scenario: Scenario, virtual: Timestamp, _ wall: Timestamp) -> Timestamp {
    if case .virtual(let chosen)? = scenario.clock { chosen ?? virtual } else { wall }
  }

  /// The clock's setting with its start.
  var clock: ClockSetting {
    if case .virtual? = scenario.clock { .virtual(start: start) } else { .real }
  }

  /// The setup of the state just after start: settings and seed stay as they are.
  func again(wall: Timestamp) -> Setup { beginning(at: Self.start(of: scenario, virtual: start, wall)) }

  /// The same, but for the moment of its beginning.
  private func beginning(at moment: Timestamp) -> Setup {
    var next = self
    next.start = moment
    return next
  }

  /// True for the setup of another beginning of this one's scenario.
  func isOfSameScenario(as other: Setup) -> Bool { identity === other.identity }

  /// The setup of another scenario: what it says of settings and seed holds on top of those of the start, and a virtual
  /// clock that it does not set starts where the one of this setup did.
  func following(_ next: Scenario, wall: Timestamp) throws(CommandError) -> Setup {
    var configuration = origin.configuration
    try Self.apply(next.settings, to: &configuration)
    let virtual = scenario.clock == next.clock ? start : wall
    return Setup(
      origin,
      configuration,
      next,
      isOfStart: false,
      next.seed ?? origin.seed,
      start: Self.start(of: next, virtual: virtual, wall)
    )
  }

  /// The setup of another scenario, where one of an earlier moment was made already.
  func following(_ next: Setup, wall: Timestamp) -> Setup {
    let virtual = scenario.clock == next.scenario.clock ? start : wall
    return next.beginning(at: Self.start(of: next.scenario, virtual: virtual, wall))
  }

  /// Applies a scenario's settings but for how much is kept, which is the process's business.
  private static func apply(
    _ settings: [SettingAssignment],
    to configuration: inout Configuration
  ) throws(CommandError) {
    let limits = configuration.limits
    for assignment in settings {
      do {
        try Setting.named(assignment.name)?.apply(assignment.text, to: &configuration)
      } catch {
        throw .badSetting("\(error)")
      }
    }
    configuration.limits = limits
  }
}

extension Setup {
  /// Writes it, but for what a process is started with again: the configuration, and the scenario of the start.
  func write(to state: inout StateWriter) {
    state.write(raw: origin.seed)
    isOfStart.write(to: &state)
    if !isOfStart {
      var json = JSONWriter()
      scenario.write(to: &json)
      state.write(json.bytes)
    }
    state.write(raw: seed)
    start.write(to: &state)
  }

  /// - Parameters:
  ///   - configuration: what the process was started with.
  ///   - scenario: likewise, and the issuer.
  init(
    reading state: inout StateReader,
    _ configuration: Configuration,
    _ scenario: Scenario,
    issuer: any TokenIssuing,
    texts: any StateTexts
  ) throws(StateError) {
    let origin = Origin(configuration: configuration, seed: try state.read(), issuer: issuer)
    var (configuration, scenario) = (configuration, scenario)
    let isOfStart = try Bool(reading: &state)
    if !isOfStart {
      let json = Array(try state.bytes())
      do {
        scenario = try texts.scenario(json)
        try Self.apply(scenario.settings, to: &configuration)
      } catch {
        throw state.error("the scenario cannot be read: \(error)")
      }
    }
    let seed = try state.raw(UInt64.self)
    self.init(origin, configuration, scenario, isOfStart: isOfStart, seed, start: try state.read())
  }
}
