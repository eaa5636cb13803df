import APNSimScenario
import APNSimWire

/// The parser's words on a command line that was not understood, where they say too much.
enum UsageText {
  static func corrected(_ text: String) -> String { withFewArguments(withNearOption(text)) }

  /// Drops the suggestion of an option that is another word: the parser's may differ in three letters, however short it is.
  private static func withNearOption(_ text: String) -> String {
    guard text.hasPrefix(unknown), let middle = text.firstRange(of: "'. Did you mean '"),
      let end = text[middle.upperBound...].firstRange(of: "'?")
    else { return text }
    let found = String(text[..<middle.lowerBound].dropFirst(unknown.count))
    let meant = String(text[middle.upperBound..<end.lowerBound])
    guard NearestName.find(found, among: [meant]) == nil else { return text }
    return "\(text[..<middle.lowerBound])'\(text[end.upperBound...])"
  }

  /// Shows the first of the arguments that nobody expects; a shell's pattern may stand for any number of them.
  private static func withFewArguments(_ text: String) -> String {
    guard let middle = text.firstRange(of: " unexpected arguments: '"),
      let count = Int(text[..<middle.lowerBound]), count > most,
      let end = text.ranges(of: "'\nUsage:").last
    else { return text }
    let words = text[middle.upperBound..<end.lowerBound].split(separator: "', '", maxSplits: most)
    let shown = words.prefix(most).joined(separator: "', '")
    return
      "\(text[..<middle.upperBound])\(shown)' and \(count - most) more\(text[end.lowerBound...].dropFirst())"
  }

  private static let unknown = "Unknown option '"
  private static let most = 3
}
