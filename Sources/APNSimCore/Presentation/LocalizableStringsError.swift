/// Why bytes are not a `Localizable.strings` file: where, what the format wants there, and what was there instead.
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
