/// Spots a text in which an alias may be part of a mapping's key.
///
/// The YAML parser compares the keys of a mapping as whole trees. A key made of aliases to aliases is a tree
/// of any size in a few lines, so such a text is refused before it is parsed. The look is at characters only
/// and errs on the side of suspicion, but only for texts that have an anchor at all.
enum AnchoredKeys {
  static func arePossible(in text: String) -> Bool {
    var hasAnchor = false
    var hasCollectionKey = false
    var previous: UInt8 = 0x0A
    var isAlias = false
    var last: UInt8 = 0  // the last byte that is no white space
    for byte in text.utf8 {
      let startsToken = Self.separators.contains(previous)
      if startsToken, byte == UInt8(ascii: "&") { hasAnchor = true }
      if startsToken, byte == UInt8(ascii: "*") { isAlias = true }
      if byte == UInt8(ascii: ":"), isAlias || last == UInt8(ascii: "]") || last == UInt8(ascii: "}") {
        hasCollectionKey = true
      }
      if previous == UInt8(ascii: "?"), Self.whiteSpace.contains(byte) { hasCollectionKey = true }
      if byte == 0x0A || byte == UInt8(ascii: ",") { isAlias = false }
      if !Self.whiteSpace.contains(byte) { last = byte }
      previous = byte
    }
    return hasAnchor && hasCollectionKey
  }

  private static let whiteSpace: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
  private static let separators = whiteSpace.union("[{,:?-]}\"'".utf8)
}
