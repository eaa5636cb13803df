/// A setting's name in the three ways people write it.
package struct SettingName: Hashable, Sendable {
  /// As in files: `badgeAbsent`.
  package let name: String

  package init(_ name: String) { self.name = name }

  /// As a flag: `--badge-absent`.
  package var flag: String { "--" + words.joined(separator: "-") }

  /// As an environment variable: `APNSIM_BADGE_ABSENT`.
  package var variable: String { "APNSIM_" + words.joined(separator: "_").uppercased() }

  /// The name's words in lower case: `badge`, `absent`. A capital begins a word, capitals in a row are one.
  private var words: [String] {
    var words: [String] = []
    var wasCapital = true
    for character in name {
      if character.isUppercase, !wasCapital { words.append("") }
      if words.isEmpty { words.append("") }
      words[words.count - 1] += character.lowercased()
      wasCapital = character.isUppercase
    }
    return words
  }
}
