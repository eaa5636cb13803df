import APNSimServer

extension JournalFile {
  /// Opens a file for a command; `-` is the standard output.
  /// - Throws: `CommandFailure` with status 73.
  static func open(_ path: String, filter: Filter? = nil) throws(CommandFailure) -> JournalFile {
    do throws(OutputFile.Failure) {
      return try JournalFile(path: path, filter: filter)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Writes out what is left.
  /// - Throws: `CommandFailure` with status 73 when not everything could be written.
  func close() throws(CommandFailure) {
    if let failure = finish().failure { throw CommandFailure(failure) }
  }
}

extension CommandFailure {
  init(_ failure: OutputFile.Failure) { self.init(.cannotWrite, failure.description) }
}
