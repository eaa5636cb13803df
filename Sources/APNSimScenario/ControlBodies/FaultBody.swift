package import APNSimCore

/// Reads the body that adds a fault: a rule of a scenario, whose `when` may also be called `where`.
package enum FaultBody {
  package static func read(_ text: String) throws(DocumentError) -> Rule {
    try BodyText.read(text, isStrict: false) { root in
      RuleReader(matchKeys: ["where", "when"], subject: "a fault").read(root, nil)
    }
  }
}
