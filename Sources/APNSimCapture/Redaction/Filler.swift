/// Other characters in place of the characters of one text: of as many bytes in every way to write them.
struct Filler {
  /// What the text alone decides; empty for characters that all texts share.
  var pad: [UInt8]
  /// What ASCII becomes.
  var letters: [UInt32]

  /// No vowels, so that no key or literal comes of them, nor an exponent, nor anything to read; no `x`, which all
  /// texts share.
  static let letters = scalars("BCDFGHJKLMNPQRSTVWXYZbcdfghjklnpqrstvwyz")
  /// Of these not even the beginning of `true`, `false` or `null` comes.
  static let capitals = scalars("BCDFGHJKLMNPQRSTVWXYZ")

  private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  /// - Parameters:
  ///   - index: where in the text the character stands.
  ///   - isShared: whether it becomes the same one in every text.
  func other(than scalar: UInt32, at index: Int, isShared: Bool) -> UInt32 {
    let isShared = isShared || pad.count < 2
    let place = isShared ? 0 : 2 * index % (pad.count & ~1)
    let chance = isShared ? 0 : UInt32(pad[place]) << 8 | UInt32(pad[place + 1])
    switch scalar {
    // These are always or mostly escaped, which would show what they were.
    case ..<0x20, 0x22, 0x5C: return scalar
    case ..<0x80: return isShared ? 0x78 : letters[Int(chance) % letters.count]
    // × or a letter; • or an ideograph; an emoji or a rare ideograph. Nothing here combines, and below U+0100 the
    // high bytes of UTF-16 and UTF-32 stay zeros, by which these are told.
    case ..<0x100: return isShared ? 0xD7 : 0xC0 + chance % 0x17
    case ..<0x800: return isShared ? 0xD7 : 0x410 + chance % 0x40
    case ..<0x10000: return isShared ? 0x2022 : 0x4E00 + chance % 0x1000
    default: return isShared ? 0x1F600 : 0x20000 + chance % 0x4000
    }
  }
}
