import APNSimCore

/// `version: 1`, the format's version; a file without it is of version 1.
enum VersionSection: ScenarioSection {
  static let key = "version"

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    if value.scalar != "1" { value.mismatch("version 1, the only one") }
  }
}

/// `name:`, what people call the scenario.
enum NameSection: ScenarioSection {
  static let key = "name"

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    if let name = value.text("a name") { draft.scenario.name = name }
  }
}

/// `seed:`, what all randomness comes from.
enum SeedSection: ScenarioSection {
  static let key = "seed"

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    guard let seed = value.scalar.flatMap({ UInt64($0) }) else {
      return value.mismatch("a whole number from 0 to \(UInt64.max) as the seed")
    }
    draft.scenario.seed = seed
  }
}

/// `description:`, a description in one line.
enum DescriptionSection: ScenarioSection {
  static let key = "description"

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    if let text = value.text("a description in one line") { draft.script.summary = text }
  }
}

/// `until:`, when a run ends, in simulated time from its start.
enum UntilSection: ScenarioSection {
  static let key = "until"

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    draft.script.until = value.timeSpan("the end of the run")
  }
}
