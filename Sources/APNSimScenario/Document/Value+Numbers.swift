import APNSimWire

extension Value {
  /// A whole number within a range.
  func integer(_ subject: String, _ range: ClosedRange<Int> = 0...Int(Int32.max)) -> Int? {
    let number = literal.flatMap { Int($0) }
    guard let number, range.contains(number) else {
      // Digits that no `Int` can hold are a number that is too large.
      let isTooLarge = number.map { $0 > range.upperBound } ?? literal?.allSatisfy(\.isWholeNumber)
      mismatch(Self.expected(range, subject, isTooLarge: isTooLarge ?? false))
      return nil
    }
    return number
  }

  /// `a whole number from 1 to 255 for the TLS alert`
  /// - Parameter isTooLarge: true to name the upper bound also where it is only that of 32 bits.
  static func expected(_ range: ClosedRange<Int>, _ subject: String, isTooLarge: Bool = false) -> String {
    let bounds =
      range.upperBound == Int(Int32.max) && !isTooLarge
      ? "of \(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
    return "a whole number \(bounds) for \(subject)"
  }

  /// A number in JSON's grammar that a double can represent.
  func decimal(_ subject: String) -> Double? {
    guard let literal, Self.isJSONNumber(literal), let number = Double(literal) else {
      mismatch("a number for \(subject)")
      return nil
    }
    guard number.isFinite else {
      mismatch("a number from -1.79e308 to 1.79e308 for \(subject)")
      return nil
    }
    return number
  }

  /// From 0 to 1.
  func probability() -> Double? {
    guard let literal, !literal.contains(where: { "xXpP".contains($0) }), let number = Double(literal),
      (0...1).contains(number)
    else {
      mismatch("a number from 0 to 1 as the probability")
      return nil
    }
    return number
  }

  /// True for a number in JSON's grammar (RFC 8259, section 6).
  static func isJSONNumber(_ text: String) -> Bool {
    guard text.utf8.count <= 400, case .array([.number(text)])? = try? JSONValue.parse("[\(text)]") else {
      return false
    }
    return true
  }
}
