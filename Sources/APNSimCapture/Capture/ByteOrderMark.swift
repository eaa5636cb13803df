/// The byte order mark that some editors put before a UTF-8 text (U+FEFF, EF BB BF), where it means nothing.
enum ByteOrderMark {
  private static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The text without the mark.
  static func removed<Text: Collection<UInt8>>(from text: Text) -> Text.SubSequence {
    text.dropFirst(text.starts(with: utf8) ? utf8.count : 0)
  }
}
