import APNSimWire

/// One mistake in a file: its place, what was expected and found, and what may have been meant.
package struct DocumentProblem: Error, Hashable {
  package var location: SourceLocation
  /// The number of characters of the line that are wrong.
  package var length: Int
  /// One line: what was found and what was expected instead. Names that have several are shown with `\n`.
  package var message: String
  /// The known name closest to the one found.
  package var suggestion: String?
  /// The place as a JSON pointer (RFC 6901), in the bodies of requests.
  package var pointer: String?

  package init(location: SourceLocation, length: Int = 1, message: String, suggestion: String? = nil) {
    self.location = location
    self.length = length
    self.message = message.onOneLine
    self.suggestion = suggestion
  }
}

/// A place in a file as editors count it: line and column from 1, the column in Unicode scalars.
package struct SourceLocation: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static let start = SourceLocation(line: 1, column: 1)

  package static func < (left: SourceLocation, right: SourceLocation) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
