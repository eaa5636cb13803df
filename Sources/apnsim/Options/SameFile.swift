import APNSimSystem
import ArgumentParser

/// Keeps a command from writing over what it reads, and from writing two things into one file.
enum SameFile {
  /// - Parameters:
  ///   - outputs: the files to be written, with the options that name them; nil for those not given.
  ///   - inputs: the files to be read, likewise.
  /// - Throws: a usage error where a file is among both, or twice among the first, by whatever name.
  static func check(
    _ outputs: [(option: String, file: String?)],
    reading inputs: [String?]
  ) throws(ValidationError) {
    if let problem = problem(outputs, reading: inputs) { throw ValidationError(problem) }
  }

  /// The problem in words that `check` throws; nil if there is none.
  static func problem(_ outputs: [(option: String, file: String?)], reading inputs: [String?]) -> String? {
    var known: [(option: String, place: String)] = []
    for (option, file) in outputs {
      guard let file, let place = place(file, standard: .standardOutput) else { continue }
      let input = inputs.compactMap { $0 }.first { Self.place($0, standard: .standardInput) == place }
      if let input {
        let name = input == "-" ? "stdin (\(file))" : input
        return "\(name) would be both read and written: choose another name for \(option)"
      }
      // Several things may go to stdout, one after the other.
      if file == "-" { continue }
      if let other = known.first(where: { $0.place == place }) {
        return
          "\(file) would be written by both \(other.option) and \(option): choose another name for one of them"
      }
      known.append((option, place))
    }
    return nil
  }

  /// The identity of a regular file (device and inode), which links share; the path of one that does not exist yet.
  /// Devices and pipes have none: they may be both read and written.
  /// - Parameter standard: what `-` stands for, a stream that may be redirected to or from a file.
  private static func place(_ path: String, standard: SystemFile) -> String? {
    let found = path == "-" ? try? standard.facts : SystemPath.facts(path)
    guard let found else { return path == "-" ? nil : AbsolutePath.of(path) }
    return found.isRegular ? "\(found.identity.device):\(found.identity.inode)" : nil
  }
}
