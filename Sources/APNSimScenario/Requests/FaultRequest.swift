package import APNSimCore

/// A fault as the control API is told of it: a rule of a scenario, whose `when` may also be called `where`.
package enum FaultRequest {
  package static func read(_ text: String) throws(DocumentError) -> Rule {
    try RequestText.read(text, isStrict: false) { root in
      let names = Set(root.entries("a fault such as {\"fault\": \"swallow\"}").map(\.name))
      let matchKey = names.contains("where") ? "where" : "when"
      return RuleReader(matchKey: matchKey, subject: "a fault", isOfFaults: false).read(root, nil)
    }
  }
}
