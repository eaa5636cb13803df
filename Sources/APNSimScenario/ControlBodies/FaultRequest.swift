package import APNSimCore

/// A fault as the control API is told of it: a rule of a scenario, whose `when` may also be called `where`.
package enum FaultRequest {
  package static func read(_ text: String) throws(DocumentError) -> Rule {
    try RequestText.read(text, isStrict: false) { root in
      RuleReader(matchKeys: ["where", "when"], subject: "a fault").read(root, nil)
    }
  }
}
