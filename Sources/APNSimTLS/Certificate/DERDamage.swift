/// The damage that a program for text does to a file in DER, told by the file's first bytes: a sequence and its length.
///
/// ```
/// 30 82 0A 5F …      a sequence of 0x0A5F more bytes
/// 30 EF BF BD …      the second byte is no text, so it was replaced (U+FFFD)
/// 30 C2 82 …         each byte was taken for a character, and written as UTF-8
/// ```
enum DERDamage: Equatable {
  /// Bytes that are not text were replaced: the content is lost.
  case replaced
  case encoded
  /// Line feeds became carriage return and line feed.
  case lineEnds(actual: Int, declared: Int)
  case cut(actual: Int, declared: Int)
  case longer(actual: Int, declared: Int)

  /// The damage of a file; nil if it is as long as it says, or does not begin as DER does.
  init?(_ bytes: [UInt8]) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    guard start.first == 0x30, start.count > 4 else { return nil }
    let rest = start.dropFirst()
    if rest.starts(with: [0xEF, 0xBF, 0xBD]) || rest.first == UInt8(ascii: "?") {
      self = .replaced
      return
    }
    if rest.starts(with: [0xC2]), let second = rest.dropFirst().first, (0x80...0x84).contains(second) {
      self = .encoded
      return
    }
    guard let declared = Self.length(rest), bytes.count != declared else { return nil }
    let (actual, feeds) = (bytes.count, Self.lineFeeds(bytes))
    if actual > declared, feeds.bare == 0, feeds.after > 0, actual - declared <= feeds.after + 1 {
      self = .lineEnds(actual: actual, declared: declared)
    } else {
      self =
        actual < declared
        ? .cut(actual: actual, declared: declared) : .longer(actual: actual, declared: declared)
    }
  }

  func error(file: String, of kind: String) -> TLSSetupError {
    TLSSetupError(file: file, reason: "the \(kind) file is damaged: \(reason)", hint: hint)
  }

  private var reason: String {
    switch self {
    case .replaced: "a program for text has replaced the bytes that are not text"
    case .encoded: "a program for text has taken its bytes for characters and written them as UTF-8"
    case .lineEnds(let actual, let declared):
      "a program for text has converted line ends in it (\(actual) bytes instead of \(declared))"
    case .cut(let actual, let declared):
      "it ends after \(actual) of \(declared) bytes (cut, or with its line ends converted)"
    case .longer(let actual, let declared): "it has \(actual) bytes, and says that it has \(declared)"
    }
  }

  private var hint: String? {
    switch self {
    case .replaced, .encoded, .lineEnds:
      """
      such are Maven's resource filtering, git's conversion of line ends ("*.p12 binary" in .gitattributes prevents it) \
      and transfers as text; take the file as it was
      """
    case .cut, .longer: "take the file as it was"
    }
  }

  /// The length of the whole file by the sequence's length, which these bytes begin with; nil if it has none.
  private static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    if first < 0x80 { return 2 + Int(first) }
    let count = Int(first & 0x7F)
    guard (1...4).contains(count), bytes.count > count else { return nil }
    return bytes.dropFirst().prefix(count).reduce(0) { $0 << 8 | Int($1) } + 2 + count
  }

  /// The numbers of line feeds without and with a carriage return before them.
  private static func lineFeeds(_ bytes: [UInt8]) -> (bare: Int, after: Int) {
    var (bare, after, last) = (0, 0, UInt8(0))
    for byte in bytes {
      if byte == 0x0A { if last == 0x0D { after += 1 } else { bare += 1 } }
      last = byte
    }
    return (bare, after)
  }
}
