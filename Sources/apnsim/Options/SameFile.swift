import ArgumentParser
import Foundation

/// Keeps a command from writing over what it reads.
enum SameFile {
  /// - Parameters:
  ///   - outputs: the files to be written, with the options that name them; nil for those not given.
  ///   - inputs: the files to be read, likewise.
  /// - Throws: a usage error where a file is among both, by whatever name.
  static func check(
    _ outputs: [(option: String, file: String?)],
    reading inputs: [String?]
  ) throws(ValidationError) {
    for input in inputs {
      guard let input, let place = place(input) else { continue }
      for (option, file) in outputs where file.flatMap(Self.place) == place {
        throw ValidationError("\(input) is to be read and written at once: choose another name for \(option)")
      }
    }
  }

  /// What makes a regular file the same as another, which devices and pipes may well be.
  private static func place(_ path: String) -> [UInt64]? {
    var facts = stat()
    guard path != "-", stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return [UInt64(truncatingIfNeeded: facts.st_dev), UInt64(truncatingIfNeeded: facts.st_ino)]
  }
}
