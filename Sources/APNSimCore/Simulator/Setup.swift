import APNSimWire

/// What a world was made from: configuration, scenario, seed and the moment it began. It never changes; a new beginning
/// makes a world from another one.
struct Setup {
  /// What the process was started with, before any scenario that came later.
  private struct Origin {
    let configuration: Configuration
    let seed: UInt64
  }

  private let origin: Origin
  let configuration: Configuration
  /// The settings of the configuration that bear on requests.
  let requestRules: RequestRules
  let scenario: Scenario
  let seed: UInt64
  /// The simulated time at which everything began.
  let start: Timestamp

  /// The setup that a process starts with.
  /// - Parameter wall: the wall time, where the clock starts unless the scenario says.
  init(_ configuration: Configuration, _ scenario: Scenario, seed: UInt64, wall: Timestamp) {
    self.init(
      Origin(configuration: configuration, seed: seed),
      configuration,
      scenario,
      seed,
      virtual: wall,
      wall
    )
  }

  /// - Parameter virtual: where a virtual clock starts unless the scenario says.
  private init(
    _ origin: Origin,
    _ configuration: Configuration,
    _ scenario: Scenario,
    _ seed: UInt64,
    virtual: Timestamp,
    _ wall: Timestamp
  ) {
    self.origin = origin
    self.configuration = configuration
    requestRules = RequestRules(configuration.quirks)
    self.scenario = scenario
    self.seed = seed
    start = if case .virtual(let chosen)? = scenario.clock { chosen ?? virtual } else { wall }
  }

  /// The clock's setting with its start.
  var clock: ClockSetting {
    if case .virtual? = scenario.clock { .virtual(start: start) } else { .real }
  }

  /// The setup of the state just after start: settings and seed stay as they are.
  func again(wall: Timestamp) -> Setup {
    Setup(origin, configuration, scenario, seed, virtual: start, wall)
  }

  /// The setup of another scenario: what it says of settings and seed holds on top of those of the start, and a virtual
  /// clock that it does not set starts where the one of this setup did.
  func following(_ next: Scenario, wall: Timestamp) throws(CommandError) -> Setup {
    var configuration = origin.configuration
    try Self.apply(next.settings, to: &configuration)
    let virtual = scenario.clock == next.clock ? start : wall
    return Setup(origin, configuration, next, next.seed ?? origin.seed, virtual: virtual, wall)
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
