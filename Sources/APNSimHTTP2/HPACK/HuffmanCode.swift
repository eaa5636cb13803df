/// The Huffman code of RFC 7541 appendix B. It is canonical: codes of one length are consecutive, in the order of their
/// symbols, and shorter codes come first. So the lengths say everything.
enum HuffmanCode {
  /// The end of the string, whose code is 30 ones. It is only ever sent in part, as padding.
  static let endOfString = 256

  /// The length of each symbol's code in bits.
  static let lengths: [UInt8] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
    28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
    13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
    15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
    6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
    20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
    22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
    21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
    19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
    20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
    30,
  ]

  /// The code of each symbol, in the low bits.
  static let codes: [UInt32] = {
    var codes = [UInt32](repeating: 0, count: 257)
    var code: UInt32 = 0
    var length: UInt8 = 0
    for symbol in symbols {
      code <<= UInt32(lengths[symbol] - length)
      length = lengths[symbol]
      codes[symbol] = code
      code &+= 1
    }
    return codes
  }()

  /// The symbols in the order of their codes.
  static let symbols = (0..<257).sorted { (lengths[$0], $0) < (lengths[$1], $1) }
}
