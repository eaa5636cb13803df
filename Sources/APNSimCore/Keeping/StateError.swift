/// The reason why bytes cannot be read back as state.
package struct StateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The expectation and what was found.
  package var reason: String
  /// The byte in what was being read, from 0.
  package var offset: Int

  package init(_ reason: String, at offset: Int) { (self.reason, self.offset) = (reason, offset) }

  package var description: String { "byte \(offset): \(reason)" }
}
