import APNSimSystem

/// The reason why TLS or the certificates cannot be set up: the file, what is wrong with it, what to do.
///
/// Programs print ``description`` and exit, with 73 when ``isWriting`` and with 78 otherwise.
package struct TLSSetupError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file or directory at fault; `nil` when it is a setting.
  package var file: String?
  /// The reason in plain words, what was expected and what was found, starting with a lower-case letter.
  package var reason: String
  /// The advice on what to do.
  package var hint: String?
  /// True if something could not be written (rather than read or understood).
  package var isWriting = false

  package init(file: String? = nil, reason: String, hint: String? = nil) {
    self.file = file
    self.reason = reason
    self.hint = hint
  }

  init(cannotWrite file: String, reason: String) {
    self.init(file: file, reason: "cannot be written: \(reason)")
    isWriting = true
  }

  init(cannotWrite file: String, _ error: SystemError) { self.init(cannotWrite: file, reason: error.words) }

  init(cannotRead file: String, _ error: SystemError) {
    self.init(file: file, reason: "cannot be read: \(error.words)")
  }

  package var description: String {
    let start = file.map { "\($0): " } ?? ""
    let end = hint.map { " (\($0))" } ?? ""
    return start + reason + end
  }
}
