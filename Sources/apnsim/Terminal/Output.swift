import Foundation

/// The two ways out: results on stdout, talk on stderr. A reader that has gone away is no error.
enum Output {
  static func line(_ text: String) { write(text + "\n", to: .standardOutput) }

  static func lines(_ lines: [String]) {
    if !lines.isEmpty { line(lines.joined(separator: "\n")) }
  }

  /// A line of talk.
  static func note(_ text: String) { write(text + "\n", to: .standardError) }

  /// Talk that stays on its line, such as a progress bar.
  static func talk(_ text: String) { write(text, to: .standardError) }

  static func bytes(_ bytes: [UInt8]) { try? FileHandle.standardOutput.write(contentsOf: Data(bytes)) }

  private static func write(_ text: String, to handle: FileHandle) {
    try? handle.write(contentsOf: Data(text.utf8))
  }

  /// Whether people read it there, rather than a file or a program.
  static func isTerminal(_ handle: FileHandle) -> Bool { isatty(handle.fileDescriptor) == 1 }
}
