package import APNSimCore

/// Reads a scenario that is given to a server, whose first environment is that of apps that name none.
package enum ScenarioBody {
  /// - Throws: as `ScenarioFile.parse`.
  package static func read(
    _ text: String,
    name: String,
    serverSettings: [String],
    environment: PushEnvironment
  ) throws(DocumentError) -> Scenario {
    let document = try Document(text: text, name: name)
    var draft = ScenarioDraft(serverSettings: serverSettings, environment: environment)
    ScenarioFile.read(document.root, into: &draft)
    try document.problems.throwIfAny()
    return draft.scenario
  }

  /// Reads one from a file, or from stdin for `-`.
  /// - Throws: as `ScenarioFile.load`.
  package static func load(
    _ path: String,
    serverSettings: [String],
    environment: PushEnvironment
  ) throws(DocumentError) -> Scenario {
    try read(
      DocumentFile.text(of: path),
      name: DocumentFile.name(of: path),
      serverSettings: serverSettings,
      environment: environment
    )
  }
}
