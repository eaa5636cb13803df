package import APNSimCore

/// Reads the body that makes a sandbox: a scenario, as it is or under `scenario` with a seed and a clock beside it.
package enum SandboxBody {
  private static let noun = Noun(
    "SandboxRequest",
    "a sandbox",
    "A scenario, with a seed, a clock and settings that are put in the place of its own.",
    rows: [
      Noun.Row("scenario", .mapping(ScenarioFile.noun), "The scenario.", .required), SeedSection.row,
      ClockSection.row, SettingsSection.row,
    ]
  )

  /// - Parameters:
  ///   - text: JSON or YAML; empty is a scenario in which nothing is.
  ///   - serverSettings: names of settings that belong to the process.
  ///   - environment: the environment of apps that name none.
  package static func read(
    _ text: String,
    serverSettings: [String],
    environment: PushEnvironment = .production
  ) throws(DocumentError) -> Scenario {
    guard text.contains(where: { !$0.isWhitespace }) else { return Scenario() }
    do throws(DocumentError) {
      let document = try Document(text: text, name: BodyText.name)
      var draft = ScenarioDraft(serverSettings: serverSettings, environment: environment)
      if case .mapping(let mapping) = document.root.node, mapping.isEmpty { return Scenario() }
      if let inner = wrapped(document.root), let fields = Fields(document.root, of: noun) {
        ScenarioFile.read(inner, into: &draft)
        if let value = fields["seed"] { SeedSection.read(value, into: &draft) }
        if let value = fields["clock"] { ClockSection.read(value, into: &draft) }
        if let value = fields["settings"] { SettingsSection.read(value, into: &draft) }
      } else {
        ScenarioFile.read(document.root, into: &draft)
      }
      try document.problems.throwIfAny()
      return draft.scenario
    } catch {
      throw error.pointed(in: text)
    }
  }

  private static func wrapped(_ root: Value) -> Value? {
    guard case .mapping = root.node else { return nil }
    return root.entries("a sandbox").first { $0.name == "scenario" }?.value
  }
}
