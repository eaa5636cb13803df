/// Conversion of JSON numbers to integers, without intermediate rounding.
enum JSONNumber {
  /// The value of a number that the grammar has accepted: truncated toward zero, and saturated at the bounds of
  /// `Int`. `1.9` is 1, `1e2` is 100, `1e400` is `Int.max`.
  static func integer(of digits: UnsafeRawBufferPointer) -> Int {
    // Up to eighteen digits always fit.
    guard digits.count <= 18 else { return longInteger(of: digits) }
    var value = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return longInteger(of: digits) }
      value = value &* 10 &+ Int(digit)
    }
    return value
  }

  /// Converts an integer of any length, with or without a sign.
  @inline(never)
  private static func longInteger(of digits: UnsafeRawBufferPointer) -> Int {
    let isNegative = digits.first == UInt8(ascii: "-")
    var value = 0
    for index in (isNegative ? 1 : 0)..<digits.count {
      let digit = Int(digits[index]) - 0x30
      guard digit >= 0, digit <= 9 else { return scaledInteger(of: digits) }
      value = appending(digit, to: value, isNegative: isNegative)
    }
    return value
  }

  /// Converts a number with a fraction or an exponent: it takes the digits in order, as many as the exponent makes
  /// whole.
  private static func scaledInteger(of text: UnsafeRawBufferPointer) -> Int {
    let isNegative = text.first == UInt8(ascii: "-")
    let mantissa = text.dropFirst(isNegative ? 1 : 0).prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let wholeDigits = mantissa.prefix { $0 != UInt8(ascii: ".") }.count
    let digits = mantissa.filter { $0 != UInt8(ascii: ".") }.map { Int($0) - 0x30 }
    let exponent = exponent(of: text.dropFirst((isNegative ? 1 : 0) + mantissa.count + 1))
    let (sum, overflow) = wholeDigits.addingReportingOverflow(exponent)
    guard digits.contains(where: { $0 != 0 }), !(overflow ? exponent < 0 : sum <= 0) else { return 0 }
    let count = overflow ? Int.max : sum

    var value = 0
    for digit in digits.prefix(count) { value = appending(digit, to: value, isNegative: isNegative) }
    // An exponent may append zeros; after twenty, any value but 0 has reached the bound.
    for _ in 0..<min(max(count - digits.count, 0), 20) {
      value = appending(0, to: value, isNegative: isNegative)
    }
    return value
  }

  private static func exponent(of text: Slice<UnsafeRawBufferPointer>) -> Int {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    return digits.reduce(0) { appending(Int($1) - 0x30, to: $0, isNegative: isNegative) }
  }

  @inline(__always)
  private static func appending(_ digit: Int, to value: Int, isNegative: Bool) -> Int {
    let bound = isNegative ? Int.min : Int.max
    let (shifted, tooLarge) = value.multipliedReportingOverflow(by: 10)
    let (sum, overflow) = shifted.addingReportingOverflow(isNegative ? -digit : digit)
    return tooLarge || overflow ? bound : sum
  }
}
