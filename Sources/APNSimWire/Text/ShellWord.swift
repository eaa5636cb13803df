/// A word of a command line, to be pasted into a shell.
package enum ShellWord {
  /// The word unchanged, or in single quotes if a shell would interpret it (POSIX, section 2.2).
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        byte >= 0x80 || plain.contains(byte)
      }
    return isPlain ? word : word.inSingleQuotes
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,".utf8
  )
}
