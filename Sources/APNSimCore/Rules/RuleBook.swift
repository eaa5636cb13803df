/// The rules of a simulator and how far each has got.
struct RuleBook {
  private(set) var entries: [Entry] = []
  /// The state of the script; empty at first.
  private(set) var state = ""

  struct Entry {
    let rule: Rule
    /// How often everything fitted, and how often it fired.
    var matches = 0
    var fired = 0

    var isSpent: Bool { rule.times.map { fired >= $0 } ?? false }
  }

  init(_ rules: [Rule], state: String = "") {
    entries = rules.map { Entry(rule: $0) }
    self.state = state
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Rules that a connection can meet, in order: `isOfConnection` chooses between those decided when it opens and
  /// those that wait for its notifications.
  func candidates(
    _ listener: Listener,
    ordinal: UInt32,
    provider: ProviderIdentity,
    ofConnection: Bool
  ) -> [Int] {
    entries.indices.filter { index in
      let rule = entries[index].rule
      let isOfConnection = if case .fault(let fault) = rule.action { fault.isOfConnection } else { false }
      return isOfConnection == ofConnection && rule.when.fits(listener, ordinal: ordinal, provider: provider)
    }
  }

  /// Whether the rule could fire if its match fits: it is not spent and the script is in its state.
  func isReady(_ index: Int) -> Bool {
    let entry = entries[index]
    guard !entry.isSpent else { return false }
    return entry.rule.state?.requires.map { $0 == state } ?? true
  }

  /// Counts a match; true when it is one that fires.
  mutating func count(_ index: Int, _ random: inout SeededGenerator) -> Bool {
    let rule = entries[index].rule
    if let probability = rule.when.probability, !(Double.random(in: 0..<1, using: &random) < probability) {
      return false
    }
    entries[index].matches += 1
    let past = entries[index].matches - rule.after
    guard past > 0, (past - 1) % max(1, rule.every) == 0 else { return false }
    entries[index].fired += 1
    if let next = rule.state?.becomes { state = next }
    return true
  }
}
