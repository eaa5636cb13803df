package import APNSimCore

/// Reads the file of `--config`: a YAML or JSON mapping of settings by their names.
package enum ConfigurationFile {
  /// - Parameter settings: every setting the file may have, the core's and the server's.
  /// - Returns: the assignments in the file's order, each with a name of `settings` and a text that fits.
  /// - Throws: `DocumentError` with every problem found.
  package static func parse(
    _ text: String,
    name: String,
    settings: [KnownSetting]
  ) throws(DocumentError) -> [SettingAssignment] {
    let document = try Document(text: text, name: name)
    let entries = document.root.entries("settings as a mapping, such as \"payload: lenient\"")
    let assignments = entries.compactMap { KnownSetting.read($0, among: settings) }
    try document.problems.throwIfAny()
    return assignments
  }

  /// Reads the assignments of a file, as `parse` does those of a text.
  package static func load(
    _ path: String,
    settings: [KnownSetting]
  ) throws(DocumentError) -> [SettingAssignment] {
    try parse(DocumentFile.text(of: path), name: DocumentFile.name(of: path), settings: settings)
  }
}
