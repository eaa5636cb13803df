/// Text changed by its code points. `replacing` of the standard library compares characters as people see them, of which a
/// quote and a mark that combines with it are one, and CR LF too: neither is found there.
extension String {
  /// The text with another in place of each code point that has one.
  package func replacingScalars(_ other: (Unicode.Scalar) -> String?) -> String {
    var result = UnicodeScalarView()
    for scalar in unicodeScalars {
      if let text = other(scalar) {
        result.append(contentsOf: text.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// The text in one word of a POSIX shell, whatever it has in it: in single quotes, each of its own outside of them
  /// (Shell Command Language, section 2.2.2).
  package var inSingleQuotes: String {
    "'" + replacingScalars { $0 == "'" ? #"'\''"# : nil } + "'"
  }

  /// The text with `\n` and `\r` in place of its line ends.
  package var onOneLine: String {
    replacingScalars { $0 == "\r" ? "\\r" : $0 == "\n" ? "\\n" : nil }
  }

  /// The text with a blank in place of each CR and LF.
  package var withoutLineEnds: String { replacingScalars { $0 == "\r" || $0 == "\n" ? " " : nil } }
}
