import APNSimWire

extension Value {
  /// A whole number within a range.
  func integer(_ subject: String, _ range: ClosedRange<Int> = 0...Int(Int32.max)) -> Int? {
    guard let number = scalar.flatMap({ Int($0) }), range.contains(number) else {
      let bounds =
        range.upperBound == Int(Int32.max)
        ? "of \(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
      mismatch("a whole number \(bounds) for \(subject)")
      return nil
    }
    return number
  }

  /// Any number that JSON can write.
  func decimal(_ subject: String) -> Double? {
    guard let scalar, Self.isJSONNumber(scalar), let number = Double(scalar) else {
      mismatch("a number for \(subject)")
      return nil
    }
    return number
  }

  /// From 0 to 1.
  func probability() -> Double? {
    guard let number = scalar.flatMap({ Double($0) }), (0...1).contains(number) else {
      mismatch("a number from 0 to 1 as the probability")
      return nil
    }
    return number
  }

  /// Whether a plain text is a number as JSON writes it.
  static func isJSONNumber(_ text: String) -> Bool {
    guard text.utf8.count <= 400, case .array([.number(text)])? = try? JSONValue.parse("[\(text)]") else {
      return false
    }
    return true
  }
}
