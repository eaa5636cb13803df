package import APNSimCore

/// Reads a fault that is added to a running simulator: a rule of a scenario, whose `when` may also be called `where`.
package enum FaultBody {
  /// Reads the body of a request, in JSON.
  package static func read(_ text: String) throws(DocumentError) -> Rule {
    try BodyText.read(text, from: .people) { RuleReader.ofCommands.read($0, nil) }
  }

  /// Reads one as a scenario has it, in YAML or JSON.
  /// - Parameter name: of the text, in errors.
  package static func rule(_ text: String, name: String) throws(DocumentError) -> Rule {
    try Document(text: text, name: name).read { RuleReader.ofCommands.read($0, nil) }
  }
}
