/// The reason why bytes are not JSON: the offset, what the grammar expects there, and what was found.
package struct JSONError: Error, Hashable, Sendable {
  /// The offset in bytes from the start of the text.
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
