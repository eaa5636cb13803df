/// The byte order mark that some editors put before a text (U+FEFF): in UTF-8 (EF BB BF) it means nothing, in UTF-16 it
/// tells the order.
package enum ByteOrderMark {
  private static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// True for a text with a mark.
  package static func begins(_ text: some Collection<UInt8>) -> Bool {
    text.starts(with: utf8) || text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF])
  }

  /// The text without the mark.
  package static func removed<Text: Collection<UInt8>>(from text: Text) -> Text.SubSequence {
    text.dropFirst(text.starts(with: utf8) ? utf8.count : 0)
  }

  /// A text in UTF-16 as UTF-8; nil where no byte order mark says that it is one.
  package static func utf8(of text: some Collection<UInt8>) -> [UInt8]? {
    let isLittle = text.starts(with: [0xFF, 0xFE])
    guard isLittle || text.starts(with: [0xFE, 0xFF]) else { return nil }
    var units: [UInt16] = []
    var first: UInt8?
    for byte in text.dropFirst(2) {
      if let before = first {
        units.append(isLittle ? UInt16(byte) << 8 | UInt16(before) : UInt16(before) << 8 | UInt16(byte))
        first = nil
      } else {
        first = byte
      }
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
