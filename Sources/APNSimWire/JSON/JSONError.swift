/// Why bytes are not JSON: where, what the grammar wanted there, and what was there instead.
package struct JSONError: Error, Hashable, Sendable {
  /// In bytes from the start of the text.
  package var offset: Int
  package var expected: String
  package var found: String

  package init(offset: Int, expected: String, found: String) {
    self.offset = offset
    self.expected = expected
    self.found = found
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String { "at offset \(offset): expected \(expected), found \(found)" }
}
