/// Counts the anchors of a YAML text before it is parsed, to refuse what the parser cannot take. It looks at characters
/// only and errs on the side of suspicion.
struct AnchorUse {
  /// The number of anchors.
  private(set) var anchors = 0
  /// True where an alias may be part of a mapping's key, or a list with aliases: aliases to aliases make a tree of any
  /// size in a few lines, and a key is a name.
  private(set) var mayBeInKeys = false

  init(in text: String) {
    var hasCollectionKey = false
    var previous: UInt8 = 0x0A
    var (isAnchor, isAlias, isKeySign) = (false, false, false)
    var last: UInt8 = 0  // the last byte that is no white space
    for byte in text.utf8 {
      let startsToken = !Self.isLetterOrDigit(previous)
      if isAnchor, !Self.whiteSpace.contains(byte) { anchors += 1 }
      isAnchor = startsToken && byte == UInt8(ascii: "&")
      let isAliasSign = startsToken && byte == UInt8(ascii: "*") && !Self.quotes.contains(previous)
      if isAliasSign { isAlias = true }
      if byte == UInt8(ascii: ":"), isAlias || last == UInt8(ascii: "]") || last == UInt8(ascii: "}") {
        hasCollectionKey = true
      }
      if isKeySign, Self.whiteSpace.contains(byte) { hasCollectionKey = true }
      isKeySign = startsToken && byte == UInt8(ascii: "?")
      // Only white space stands between an alias that is a key and its colon.
      if byte == 0x0A || !Self.isOfName(byte) && !Self.whiteSpace.contains(byte) { isAlias = isAliasSign }
      if !Self.whiteSpace.contains(byte) { last = byte }
      previous = byte
    }
    mayBeInKeys = anchors > 0 && hasCollectionKey
  }

  private static let whiteSpace: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]

  private static let quotes: Set<UInt8> = [UInt8(ascii: "\""), UInt8(ascii: "'")]

  private static func isOfName(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
