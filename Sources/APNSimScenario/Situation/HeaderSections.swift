import APNSimCore

/// `version: 1`, the format's version; a file without it is of version 1.
enum VersionSection: ScenarioSection {
  static let row = Noun.Row(
    "version",
    .either([.integer(1...1), .word("1")]),
    "The version of the format: 1, also where it is not said."
  )

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    if value.scalar != "1" { value.mismatch("version 1, the only one") }
  }
}

/// `name:`, what people call the scenario.
enum NameSection: ScenarioSection {
  static let row = Noun.Row("name", .text, "What people call the scenario.")

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    if let name = value.text("a name") { draft.scenario.name = name }
  }
}

/// `seed:`, what all randomness comes from.
enum SeedSection: ScenarioSection {
  static let row = Noun.Row(
    "seed",
    .form(
      TextForm(
        "seed",
        "a whole number from 0 to \(UInt64.max)",
        pattern: "\\+?[0-9]{1,20}",
        numbers: .whole("0", "\(UInt64.max)")
      )
    ),
    "What all that is left to chance is drawn from: the same seed, the same journal."
  )

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    guard let seed = value.scalar.flatMap({ UInt64($0) }) else {
      return value.mismatch("a whole number from 0 to \(UInt64.max) as the seed")
    }
    draft.scenario.seed = seed
  }
}

/// `description:`, a description in one line.
enum DescriptionSection: ScenarioSection {
  static let row = Noun.Row(
    "description",
    .text,
    "A line on what the scenario shows, which apnsim scenario list prints."
  )

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    if let text = value.text("a description in one line") { draft.script.summary = text }
  }
}

/// `until:`, when a run ends, in simulated time from its start.
enum UntilSection: ScenarioSection {
  static let row = Noun.Row(
    "until",
    .duration,
    "When a run ends, in simulated time from its start; a minute after the last step where nothing is said."
  )

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    draft.script.until = value.timeSpan("the end of the run")
  }
}
