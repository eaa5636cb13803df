/// Text from elsewhere, fit for a terminal.
enum TerminalText {
  /// The text without what would command the terminal: every control character is shown as U+FFFD.
  static func visible(_ text: some StringProtocol) -> String {
    let scalars = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The same in one line of at most so many characters.
  static func line(_ text: String, limit: Int) -> String {
    let flat = visible(text.replacing("\n", with: " "))
    return flat.count <= limit ? flat : flat.prefix(max(0, limit - 1)) + "…"
  }
}
