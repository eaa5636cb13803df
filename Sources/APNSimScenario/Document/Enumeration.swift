/// Lists names as a sentence does.
package enum Enumeration {
  /// `token, apps or online`
  static func of(_ names: [String]) -> String { joined(names, by: "or") }

  /// The values of a settings table as a phrase: `strict, lenient` becomes `strict or lenient`;
  /// a text that is no list of words stays.
  package static func of(values: String) -> String {
    let parts = values.split(separator: ",").map { String($0.drop { $0 == " " }) }
    guard parts.allSatisfy({ !$0.contains(" ") }), !values.contains("(") else { return values }
    return of(parts)
  }

  /// `token, apps and online`
  static func and(_ names: [String]) -> String { joined(names, by: "and") }

  private static func joined(_ names: [String], by word: String) -> String {
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " \(word) " + last
  }
}

extension Int {
  /// `1 packet`, `2 packets`
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
