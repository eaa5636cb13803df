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
