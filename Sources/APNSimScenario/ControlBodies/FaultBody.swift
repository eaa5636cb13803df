package import APNSimCore

/// Reads a fault that is added to a running simulator: a rule of a scenario, whose `when` may also be called `where`.
package enum FaultBody {
  /// Reads the body of a request, in JSON.
  package static func read(_ text: String) throws(DocumentError) -> Rule {
    try BodyText.read(text, isStrict: false) { reader.read($0, nil) }
  }

  /// Reads one as a scenario has it, in YAML or JSON.
  /// - Parameter name: of the text, in errors.
  package static func rule(_ text: String, name: String) throws(DocumentError) -> Rule {
    let document = try Document(text: text, name: name)
    let rule = reader.read(document.root, nil)
    try document.problems.throwIfAny()
    guard let rule else {
      document.root.report("not understood")
      try document.problems.throwIfAny()
      throw DocumentError(source: SourceText(name: name, text: text), problems: [], omitted: 0)
    }
    return rule
  }

  private static let reader = RuleReader(matchKeys: ["where", "when"], subject: "a fault")
}
