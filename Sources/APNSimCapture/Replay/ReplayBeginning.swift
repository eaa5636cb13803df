import APNSimCore
import APNSimScenario

/// The situation that a replay begins in: that of the capture, with the changes of its options.
struct ReplayBeginning {
  private(set) var configuration = Configuration()
  private(set) var scenario: Scenario
  let portions: ReplayBatch.Portions

  /// The bytes of a notification for which there is room where many are kept.
  private static let usualBytes = 1024

  /// - Throws: `ReplayFailure` where the capture's beginning cannot be restored.
  init(
    _ header: CaptureHeader,
    _ options: ReplayOptions,
    isExact: Bool,
    _ path: String
  ) throws(ReplayFailure) {
    if let chosen = options.scenario {
      scenario = chosen
    } else {
      scenario = try Self.scenario(of: header, path)
    }
    // The times are the capture's, whatever clock another scenario has.
    if options.scenario != nil || header.scenario == nil {
      scenario.clock = header.isVirtual ? .virtual(start: header.start) : .real
    }
    let hasIssued = header.settings.contains { $0.name == "tokens" && $0.text == "issued" }
    var configuration = Configuration()
    configuration.rules = header.rules
    try Self.apply(header.settings, to: &configuration, path)
    // A chosen scenario's settings override the recorded ones, but for the limits, which are not a scenario's to set.
    let limits = configuration.limits
    try Self.apply(options.scenario?.settings ?? [], to: &configuration, path)
    configuration.limits = limits
    try Self.apply(options.settings, to: &configuration, path)
    portions = configuration.tokens != .issued ? .reads : hasIssued ? .linesWithVerdicts : .lines
    self.configuration = configuration
    keepEnough(isExact: isExact, options.keep)
  }

  private static func apply(
    _ assignments: [SettingAssignment],
    to configuration: inout Configuration,
    _ path: String
  ) throws(ReplayFailure) {
    for assignment in assignments {
      do {
        try Setting.named(assignment.name)?.apply(assignment.text, to: &configuration)
      } catch {
        throw ReplayFailure(description: "\(path): setting \(error)")
      }
    }
  }

  private mutating func keepEnough(isExact: Bool, _ keep: Int?) {
    // A frame has at least five bytes.
    if !isExact { configuration.limits.keep = max(configuration.limits.keep, ReplayBatch.most / 5) }
    if let keep, keep > configuration.limits.keep {
      configuration.limits.keep = keep
      configuration.limits.historyBytes = max(configuration.limits.historyBytes, keep * Self.usualBytes)
    }
  }

  private static func scenario(of header: CaptureHeader, _ path: String) throws(ReplayFailure) -> Scenario {
    guard let json = header.scenario else { return Scenario() }
    do {
      return try ScenarioFile.parse(
        written: String(decoding: json, as: UTF8.self),
        name: "\(path): scenario in line 1"
      )
    } catch {
      throw ReplayFailure(description: "\(error)")
    }
  }

  /// A simulator in this situation.
  func simulator(_ header: CaptureHeader, _ issuer: ReplayIssuer, _ path: String) throws(ReplayFailure)
    -> Simulator
  {
    do {
      return try Simulator(
        configuration: configuration,
        scenario: scenario,
        seed: header.seed ?? scenario.seed ?? 1,
        start: header.start ?? Timestamp(rawValue: 0),
        tokenIssuer: issuer
      )
    } catch {
      throw ReplayFailure(description: "\(path): the scenario it begins with cannot be: \(error)")
    }
  }
}
