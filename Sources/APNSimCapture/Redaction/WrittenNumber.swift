/// A number in JSON's spelling: its value, and the places of the significant digits in the text.
struct WrittenNumber {
  /// The value, equal for all spellings of one number.
  struct Value: Hashable {
    var isNegative: Bool
    /// The digits from the first that is not zero to the last such; none for zero itself.
    var digits: [UInt8]
    /// The power of ten that the last of them counts.
    var exponent: Int
  }

  let value: Value
  /// The place in the text of each of the value's digits.
  let places: [Int]

  /// The largest power of ten: larger ones cannot be distinguished in `Double`.
  private static let largestExponent = 999
  private static let zero = UInt8(ascii: "0")

  /// - Returns: nil for a text that is no JSON number, and for one with an exponent beyond the limit.
  init?(_ text: [UInt8]) {
    var rest = text[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    let whole = rest.prefix { Self.isDigit($0) }
    guard !whole.isEmpty, whole.count == 1 || whole.first != Self.zero else { return nil }
    rest = rest.dropFirst(whole.count)
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix { Self.isDigit($0) }
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(1 + fraction.count)
    }
    var power = 0
    if let sign = rest.first {
      guard sign | 0x20 == 0x65, rest.count <= 6,
        let written = Int(String(decoding: rest.dropFirst(), as: UTF8.self)),
        abs(written) <= Self.largestExponent
      else { return nil }
      power = written
    }
    let all = Array(whole.indices) + Array(fraction.indices)
    let counting = all.drop { text[$0] == Self.zero }
    let trailing = counting.reversed().prefix { text[$0] == Self.zero }.count
    places = Array(counting.dropLast(trailing))
    value = Value(
      isNegative: isNegative,
      digits: places.map { text[$0] - Self.zero },
      exponent: places.isEmpty ? 0 : power - fraction.count + trailing
    )
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension WrittenNumber.Value {
  /// Numbers of so many characters are kept: flags, versions, small counts.
  static let keptLength = 5

  /// True where its shortest spelling without an exponent has no more characters than are kept.
  var isKept: Bool {
    guard !digits.isEmpty else { return true }
    let sign = isNegative ? 1 : 0
    if exponent >= 0 { return sign + digits.count + exponent <= Self.keptLength }
    let whole = digits.count + exponent
    return sign + (whole > 0 ? digits.count + 1 : 2 - exponent) <= Self.keptLength
  }

  /// A unique text for each value: `-12345e2`.
  var text: String {
    (isNegative ? "-" : "") + String(decoding: digits.map { $0 + 0x30 }, as: UTF8.self) + "e\(exponent)"
  }

  var double: Double { Double(text) ?? 0 }
}
