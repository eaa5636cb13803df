package import APNSimCore

/// Reads scenario files (YAML or JSON) into the core's `Scenario`.
///
/// A part of the format is a `ScenarioSection` in a file of its own; `sections` is the format.
package enum ScenarioFile {
  /// The sections in the order of reading: later ones refer to earlier ones, wherever they stand in the file.
  static let sections: [any ScenarioSection.Type] = [
    VersionSection.self, NameSection.self, DescriptionSection.self, SeedSection.self, ClockSection.self,
    SettingsSection.self, AppsSection.self, DevicesSection.self, ChannelsSection.self,
    ActivitiesSection.self,
    FeedbackSection.self, TimelineSection.self,
    RulesSection.self, FaultsSection.self, StateSection.self, TrafficSection.self, ExpectSection.self,
    UntilSection.self,
  ]

  static let noun = Noun(
    "scenario",
    "a scenario",
    "A situation that a provider can meet, the traffic that leads to it, and what must come of it.",
    rows: sections.map { $0.row }
  )

  /// Reads a scenario from text.
  /// - Parameters:
  ///   - text: YAML or JSON, at most `DocumentLimits.bytes`.
  ///   - name: the file's name, or its substitute in errors (`request body`).
  ///   - serverSettings: names of settings that belong to the process and not to a scenario, so that the
  ///     error can say so.
  /// - Throws: `DocumentError` with every problem found.
  package static func parse(
    _ text: String,
    name: String,
    serverSettings: [String] = []
  ) throws(DocumentError) -> Scenario {
    try script(text, name: name, serverSettings: serverSettings).scenario
  }

  /// Reads a scenario that a journal holds.
  /// - Throws: `DocumentError` with every problem found.
  package static func parse(written text: String, name: String) throws(DocumentError) -> Scenario {
    try script(Document(text: text, name: name, from: .scenario)).scenario
  }

  /// Reads a scenario's text with its traffic and checks, for whoever plays the providers.
  /// - Throws: as `parse`.
  package static func script(
    _ text: String,
    name: String,
    serverSettings: [String] = []
  ) throws(DocumentError) -> ScenarioScript {
    try script(Document(text: text, name: name), serverSettings: serverSettings)
  }

  private static func script(
    _ document: Document,
    serverSettings: [String] = []
  ) throws(DocumentError) -> ScenarioScript {
    var draft = ScenarioDraft(serverSettings: serverSettings)
    read(document.root, into: &draft)
    try document.problems.throwIfAny()
    return draft.script
  }

  /// Reads a value as a scenario; mistakes are added to its problems.
  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    if let fields = Fields(value, of: noun) {
      for section in sections {
        if let value = fields[section.key] { section.read(value, into: &draft) }
      }
    }
    draft.checkConnections()
    draft.checkSize(at: value)
  }

  /// Reads a scenario from a file, or from stdin for `-`.
  /// - Throws: `DocumentError` as `parse`, or with one problem for a file that cannot be read.
  package static func load(
    _ path: String,
    serverSettings: [String] = []
  ) throws(DocumentError) -> Scenario {
    try loadScript(path, serverSettings: serverSettings).scenario
  }

  /// Reads a file's script, or stdin's for `-`.
  package static func loadScript(
    _ path: String,
    serverSettings: [String] = []
  ) throws(DocumentError) -> ScenarioScript {
    try script(DocumentFile.text(of: path), name: DocumentFile.name(of: path), serverSettings: serverSettings)
  }
}
