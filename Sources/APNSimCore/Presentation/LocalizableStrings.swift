/// One parsed `Localizable.strings`: the alert texts and button titles an app has in one language.
///
/// "Each entry in this file has a key and a localized string value" (Local and Push Notification Programming Guide
/// 2011-08-09, "Localized Formatted Strings"). Of a repeated key the last entry counts.
package struct LocalizableStrings: Hashable, Sendable {
  private var entries: [String: String]

  /// The most bytes a file may have: some ten thousand entries.
  package static let maximumByteCount = 1 << 20

  package init(_ entries: [String: String] = [:]) { self.entries = entries }

  /// Reads the bytes of a file, in UTF-8 or, with a byte order mark, in UTF-16.
  /// - Throws: the first thing that is not as it must be, with its line and column.
  package static func parse(_ bytes: [UInt8]) throws(LocalizableStringsError) -> LocalizableStrings {
    guard bytes.count <= maximumByteCount else {
      throw LocalizableStringsError(
        line: 1,
        column: 1,
        expected: "a file of at most \(maximumByteCount) bytes",
        found: "more"
      )
    }
    var parser = LocalizableStringsParser(try StringsText.decode(bytes))
    return LocalizableStrings(try parser.entries())
  }

  /// The string for a key; nil where the file has none.
  package subscript(key: String) -> String? { entries[key] }

  package var count: Int { entries.count }
}

/// The reason why bytes are not a `Localizable.strings` file: where, what the format wants there, and what was there instead.
package struct LocalizableStringsError: Error, Hashable, Sendable {
  /// From 1. A line ends with LF, CR or CRLF.
  package var line: Int
  /// From 1, in characters (Unicode scalars).
  package var column: Int
  package var expected: String
  package var found: String

  package init(line: Int, column: Int, expected: String, found: String) {
    self.line = line
    self.column = column
    self.expected = expected
    self.found = found
  }

  /// An error at a place in a text.
  init(at index: Int, of text: some Sequence<Unicode.Scalar>, expected: String, found: String) {
    var (line, column) = (1, 1)
    var previous: Unicode.Scalar?
    for scalar in text.prefix(index) {
      let endsCRLF = scalar == "\n" && previous == "\r"
      if scalar == "\n" || scalar == "\r" {
        line += endsCRLF ? 0 : 1
        column = 1
      } else {
        column += 1
      }
      previous = scalar
    }
    self.init(line: line, column: column, expected: expected, found: found)
  }
}

extension LocalizableStringsError: CustomStringConvertible {
  package var description: String { "line \(line), column \(column): expected \(expected), found \(found)" }
}
