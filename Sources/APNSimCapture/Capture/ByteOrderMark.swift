/// What some editors put before a text: the byte order mark, which says nothing where bytes have only one order.
enum ByteOrderMark {
  private static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// A text without it.
  static func removed<Text: Collection<UInt8>>(from text: Text) -> Text.SubSequence {
    text.dropFirst(text.starts(with: utf8) ? utf8.count : 0)
  }
}
