package import APNSimCore

/// `clock: { mode: virtual, start: 2012-06-01T00:00:00Z }`, or as the flag says it: `clock:
/// virtual@2012-06-01`.
enum ClockSection: ScenarioSection {
  static let row = Noun.Row(
    "clock",
    .either([.form(.clockSetting), .mapping(noun)]),
    "The simulated clock: the real time, or one that moves when it is told to."
  )
  private static let noun = Noun(
    "clock",
    "a clock",
    "The simulated clock.",
    rows: [
      Noun.Row("mode", .choice(of: Mode.self), "real, which is meant where nothing is said, or virtual."),
      Noun.Row("start", .form(.time), "The time at which a virtual clock starts."),
    ],
    terms: [.never([.given("start"), .noValue("mode", .word(Mode.virtual.rawValue))])]
  )

  private enum Mode: String, CaseIterable {
    case real
    case virtual
  }

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    if let text = value.scalar {
      guard let clock = ClockSetting(text) else { return value.mismatch(ClockSetting.expectedText) }
      draft.scenario.clock = clock
      return
    }
    guard let fields = Fields(value, of: noun) else { return }
    let mode = fields["mode"].map { $0.choice("the clock's mode", of: Mode.self) } ?? .real
    let start = fields["start"].flatMap { $0.timestamp("the clock's start") }
    switch mode {
    case .virtual: draft.scenario.clock = .virtual(start: start)
    case .real:
      if let start = fields["start"] { start.report("only a virtual clock has a start: use mode: virtual") }
      draft.scenario.clock = .real
    case nil: return
    }
  }
}

extension ClockSetting {
  /// Reads `real`, `virtual` or `virtual@TIME`, as `--clock` and `APNSIM_CLOCK` say it.
  package init?(_ text: String) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts.first, parts.count) {
    case ("real", 1): self = .real
    case ("virtual", 1): self = .virtual(start: nil)
    case ("virtual", 2):
      guard let start = Timestamp(parts[1]) else { return nil }
      self = .virtual(start: start)
    default: return nil
    }
  }

  package static let expectedText =
    "real, virtual or virtual@TIME (virtual@2012-06-01T00:00:00Z) as the clock"
}
