/// The error of a capture that cannot be imported: the file, the place, what was expected and found, and hints.
package struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, from which the command line makes its exit code.
  package enum Kind: Hashable, Sendable {
    /// The file cannot be read or has another format than expected.
    case unreadable
    /// The file is sound but lacks something that an import needs: a key log, a port, traffic of the protocol.
    case unusable
    /// A program that is needed is not installed or does not work.
    case missingProgram
    /// There is no room for temporary data.
    case unwritable
  }

  package var kind: Kind
  package var file: String
  /// The offset in the file, in bytes; nil for an error of the whole file.
  package var offset: Int?
  package var message: String
  package var hints: [String]

  package init(
    _ kind: Kind = .unreadable,
    file: String,
    offset: Int? = nil,
    _ message: String,
    hints: [String] = []
  ) {
    self.kind = kind
    self.file = file
    self.offset = offset
    self.message = message
    self.hints = hints
  }

  package var description: String {
    "\(file): \(offset.map { "at byte \($0): " } ?? "")\(message)"
  }
}
