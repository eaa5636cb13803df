/// Lists names as a sentence does.
enum Enumeration {
  /// `token, apps or online`
  static func of(_ names: [String]) -> String { joined(names, by: "or") }

  /// `token, apps and online`
  static func and(_ names: [String]) -> String { joined(names, by: "and") }

  private static func joined(_ names: [String], by word: String) -> String {
    guard names.count > 1, let last = names.last else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " \(word) " + last
  }
}
