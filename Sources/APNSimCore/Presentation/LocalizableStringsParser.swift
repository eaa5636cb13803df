/// Reads the characters of a strings file:
///
///     /* a comment */  // and another
///     "key" = "value";
///     key.without_quotes = "value";
///
/// Keys may do without quotes when they are only letters, digits and `_ . - $ :`. Strings may run over lines. The
/// escapes are `\" \' \\ \n \r \t` and `\Uxxxx`, a UTF-16 code unit in four hex digits; a pair of surrogates makes
/// one character (Internationalization Programming Topics, "Strings Files").
struct LocalizableStringsParser {
  private let text: [Unicode.Scalar]
  private var at = 0

  init(_ text: [Unicode.Scalar]) { self.text = text }

  /// Every entry up to the end of the text.
  mutating func entries() throws(LocalizableStringsError) -> [String: String] {
    var entries: [String: String] = [:]
    while true {
      try skipBlanks()
      guard at < text.count else { return entries }
      let key = try key()
      try skipBlanks()
      try take("=", expected: "'=' after a key")
      try skipBlanks()
      guard next == "\"" else { throw failure("a value in quotes") }
      let value = try quoted()
      try skipBlanks()
      try take(";", expected: "';' after a value")
      entries[key] = value
    }
  }

  private var next: Unicode.Scalar? { at < text.count ? text[at] : nil }

  private mutating func take(
    _ wanted: Unicode.Scalar,
    expected: String
  ) throws(LocalizableStringsError) {
    guard next == wanted else { throw failure(expected) }
    at += 1
  }

  private mutating func key() throws(LocalizableStringsError) -> String {
    if next == "\"" { return try quoted() }
    let word = text[at...].prefix {
      $0.properties.isAlphabetic || "0123456789_.-$:".unicodeScalars.contains($0)
    }
    guard !word.isEmpty else { throw failure("a key in quotes") }
    at += word.count
    return Self.string(word)
  }

  /// Whitespace and comments.
  private mutating func skipBlanks() throws(LocalizableStringsError) {
    while let scalar = next {
      if scalar.properties.isWhitespace {
        at += 1
      } else if scalar == "/", at + 1 < text.count, text[at + 1] == "/" {
        while let scalar = next, scalar != "\n", scalar != "\r" { at += 1 }
      } else if scalar == "/", at + 1 < text.count, text[at + 1] == "*" {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(LocalizableStringsError) {
    let start = at
    at += 2
    while at + 1 < text.count {
      if text[at] == "*", text[at + 1] == "/" {
        at += 2
        return
      }
      at += 1
    }
    throw failure("'*/' at the end of this comment", at: start, found: Self.endOfFile)
  }

  /// The string whose opening quote is next.
  private mutating func quoted() throws(LocalizableStringsError) -> String {
    let start = at
    at += 1
    var characters: [Unicode.Scalar] = []
    while let scalar = next {
      at += 1
      switch scalar {
      case "\"": return Self.string(characters[...])
      case "\\": characters.append(try escape())
      default: characters.append(scalar)
      }
    }
    throw failure("'\"' at the end of this string", at: start, found: Self.endOfFile)
  }

  /// The character that a backslash and what follows it stand for.
  private mutating func escape() throws(LocalizableStringsError) -> Unicode.Scalar {
    guard let scalar = next else { throw failure("an escaped character") }
    at += 1
    switch scalar {
    case "\"", "'", "\\": return scalar
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "U": return try unicodeEscape(from: at - 2)
    default:
      at -= 1
      throw failure("an escape (\\\" \\' \\\\ \\n \\r \\t \\Uxxxx)")
    }
  }

  /// The four digits of an escape that begins at `start`, and of the low surrogate that must follow a high one.
  private mutating func unicodeEscape(
    from start: Int
  ) throws(LocalizableStringsError) -> Unicode.Scalar {
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let found = "'\\U\(Self.digits(unit))'"
    guard unit < 0xDC00 else { throw failure("a high surrogate first", at: start, found: found) }
    guard next == "\\", at + 1 < text.count, text[at + 1] == "U" else {
      throw failure("the low surrogate (\\UDC00 to \\UDFFF) of \(found)")
    }
    let second = at
    at += 2
    let low = try codeUnit()
    guard low >= 0xDC00, low <= 0xDFFF,
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else {
      throw failure("the low surrogate of \(found)", at: second, found: "'\\U\(Self.digits(low))'")
    }
    return scalar
  }

  private mutating func codeUnit() throws(LocalizableStringsError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let scalar = next, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
        throw failure("four hex digits after \\U")
      }
      unit = unit << 4 | UInt32(digit)
      at += 1
    }
    return unit
  }

  private func failure(_ expected: String) -> LocalizableStringsError {
    failure(expected, at: at, found: next.map(Self.name) ?? Self.endOfFile)
  }

  private func failure(_ expected: String, at index: Int, found: String) -> LocalizableStringsError {
    LocalizableStringsError(at: index, of: text, expected: expected, found: found)
  }

  private static let endOfFile = "the end of the file"

  private static func name(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n", "\r": "the end of the line"
    case _ where scalar.value < 0x20: "U+\(digits(scalar.value))"
    default: "'\(String(scalar))'"
    }
  }

  private static func digits(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
