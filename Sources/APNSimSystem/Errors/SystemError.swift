package import SystemPackage

/// The refusal of a call by the operating system: the call, what it was made for, and the reason.
///
/// Messages for people are made of ``words`` or ``text``, with a beginning of their own.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the call, such as `open`.
  package let operation: String
  /// The file or directory that the call was made for; nil where it was made for none.
  package let path: String?
  /// The system's number for the reason; nil where something was found that the system itself would allow.
  package let code: Errno?
  private let finding: String?

  package init(_ operation: String, _ path: String? = nil, _ code: Errno) {
    (self.operation, self.path, self.code, finding) = (operation, path, code, nil)
  }

  /// - Parameter finding: the reason in plain words, such as `it is not a regular file`.
  package init(_ operation: String, _ path: String? = nil, finding: String) {
    (self.operation, self.path, code, self.finding) = (operation, path, nil, finding)
  }

  /// The reason in plain words, which begin with a lower-case letter.
  package var words: String { finding ?? code?.words ?? "" }

  /// The reason in the words of the system: `No such file or directory`.
  package var text: String { finding ?? code?.description ?? "" }

  package var description: String { "\(operation)\(path.map { " \($0)" } ?? ""): \(text)" }

  /// True if there is no file of that name.
  package var isAbsence: Bool { code == .noSuchFileOrDirectory }
}
