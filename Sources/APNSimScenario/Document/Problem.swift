/// One thing that is wrong in a file: where, what was expected and found, and what may have been meant.
package struct Problem: Hashable, Sendable {
  package var location: SourceLocation
  /// How many characters of the line it is about.
  package var length: Int
  /// One line: what was found and what was expected instead.
  package var message: String
  /// The known name closest to the one found.
  package var suggestion: String?
  /// The place as a JSON pointer (RFC 6901), where it was looked for.
  package var pointer: String?

  package init(location: SourceLocation, length: Int = 1, message: String, suggestion: String? = nil) {
    self.location = location
    self.length = length
    self.message = message
    self.suggestion = suggestion
  }
}
