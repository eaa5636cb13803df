/// What some editors put before a text: the byte order mark, which says nothing where bytes have only one order.
enum TextMark {
  static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
}
