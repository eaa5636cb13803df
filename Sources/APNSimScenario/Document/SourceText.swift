import APNSimWire

/// The text of a file, which shows the line of an error with a caret under the place.
package struct SourceText: Sendable {
  /// The file's name as it was given, or its substitute in errors (`request body`).
  package let name: String
  private let lines: [Substring]

  /// True where there is nothing to point at: the file could not be read, or is empty.
  package var isEmpty: Bool { lines.allSatisfy(\.isEmpty) }

  package init(name: String, text: String) {
    self.name = name
    lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }

  /// The source line and the caret line below it; nothing for a place outside the text.
  ///
  /// A very long line (JSON on one line) is cut to a window around the place. Tabs stay tabs in both lines,
  /// so that the caret stands where a terminal shows the character.
  package func excerpt(at location: SourceLocation, length: Int) -> [String] {
    guard !isEmpty, (1...lines.count).contains(location.line) else { return [] }
    let line = Array(lines[location.line - 1].unicodeScalars)
    let column = min(max(0, location.column - 1), line.count)
    let first = column > Self.window ? column - Self.window / 2 : 0
    let end = min(line.count, first + 2 * Self.window)
    let shown = line[first..<end].map { $0.value < 0x20 && $0 != "\t" ? " " : Character($0) }
    let padding = line[first..<column].map { $0 == "\t" ? "\t" : String(repeating: " ", count: $0.columns) }
      .joined()
    let marked = line[column..<end].prefix(max(0, length))
    let marks = max(1, marked.reduce(0) { $0 + $1.columns })
    let lead = first > 0 ? "…" : ""
    return [
      "  " + lead + String(shown) + (end < line.count ? "…" : ""),
      "  " + (lead.isEmpty ? "" : " ") + padding + "^" + String(repeating: "~", count: marks - 1),
    ]
  }

  /// Finds the second `key:` in the block mapping that has the first one at `first`.
  package func repetition(of key: String, after first: SourceLocation) -> SourceLocation? {
    guard first.line >= 1, first.line < lines.count else { return nil }
    for (index, line) in lines.enumerated().dropFirst(first.line) {
      let text = line.drop { $0 == " " }
      let column = line.unicodeScalars.count - text.unicodeScalars.count + 1
      if text.isEmpty || text.hasPrefix("#") { continue }
      if column < first.column { return nil }
      guard column == first.column else { continue }
      for form in [key, "\"\(key)\"", "'\(key)'"] where text.hasPrefix(form) {
        if text.dropFirst(form.count).drop(while: { $0 == " " }).hasPrefix(":") {
          return SourceLocation(line: index + 1, column: column)
        }
      }
    }
    return nil
  }

  /// True if a line has a text with the same code points.
  func hasExactly(_ text: String, on line: Int) -> Bool {
    lines.indices.contains(line - 1) && lines[line - 1].utf8.firstRange(of: text.utf8) != nil
  }

  private static let window = 60
}
