/// Why a capture cannot be imported: the file, where in it, what was expected and found, and what may help.
package struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of trouble it is; the command line makes its exit code of it.
  package enum Kind: Hashable, Sendable {
    /// The file cannot be read or is not what it was taken for.
    case unreadable
    /// The file is sound and lacks what an import needs: a key log, a port, traffic of the protocol.
    case unusable
    /// A program that is needed is not installed or does not work.
    case missingProgram
    /// There is no room for what has to be kept meanwhile.
    case unwritable
  }

  package var kind: Kind
  package var file: String
  /// Where in the file, in bytes from its beginning; nil when it is about the whole of it.
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
