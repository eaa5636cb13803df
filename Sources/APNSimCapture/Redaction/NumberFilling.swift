/// Fills the digits of long numbers: equal values alike, however they are written, and on the same side of everything
/// that rules and expectations compare numbers with.
///
/// A zero stays a zero, every other digit becomes another than zero, and the first digit becomes a one. Where that
/// would move a number across a bound, as many first digits stay as are needed.
final class NumberFilling {
  typealias Value = WrittenNumber.Value

  /// The bounds of comparisons, in ascending order.
  private var bounds: [Double] = []
  /// The fillings of numbers that tests look for, and the reverse: no other number gets the same filling.
  private var wanted: [Value: Value] = [:]
  private var owners: [Value: Value] = [:]

  /// The most bounds, and the most numbers that tests look for.
  private static let most = 4096
  /// The most first digits that decide a comparison in `Double`.
  private static let deciding = 20
  /// The most attempts before another digit is kept.
  private static let attempts = 4

  /// Adds a bound: numbers stay on their side of it.
  func keepSides(of bound: Double) {
    let place = firstBound(atLeast: bound)
    guard bounds.count < Self.most, place == bounds.count || bounds[place] != bound else { return }
    bounds.insert(bound, at: place)
  }

  /// Reserves the filling of a number: no other number gets it.
  /// - Parameter pad: returns bytes derived from a text.
  func want(_ number: Value, _ pad: ([UInt8]) -> [UInt8]) {
    guard !number.isKept, wanted.count < Self.most else { return }
    var other = number
    other.digits = digits(of: number, pad)
    wanted[number] = other
    owners[other] = number
  }

  /// The filling, with as many digits as the number has.
  func digits(of number: Value, _ pad: ([UInt8]) -> [UInt8]) -> [UInt8] {
    if let known = wanted[number], isFree(known, for: number) { return known.digits }
    let pad = pad(Array(number.text.utf8))
    var other = number
    for kept in Array(0...min(number.digits.count, Self.deciding)) + [number.digits.count] {
      for attempt in 0..<Self.attempts {
        other.digits = Self.filled(number.digits, keeping: kept, with: pad, from: attempt * 7)
        if isFree(other, for: number) { return other.digits }
      }
    }
    other.digits = Self.filled(number.digits, keeping: 0, with: pad)
    let first = other
    for digit in 2...9 where !other.digits.isEmpty {
      other.digits[0] = UInt8(digit)
      if isFree(other, for: number) { return other.digits }
    }
    return first.digits
  }

  /// - Parameters:
  ///   - kept: the number of digits that stay.
  ///   - pad: the bytes that choose the digits; without them all become ones.
  static func filled(
    _ digits: [UInt8],
    keeping kept: Int = 0,
    with pad: [UInt8] = [],
    from start: Int = 0
  ) -> [UInt8] {
    digits.enumerated().map { place, digit in
      if place < kept || digit == 0 { return digit }
      return place == 0 || pad.isEmpty ? 1 : 1 + pad[(start + place) % pad.count] % 9
    }
  }

  private func isFree(_ other: Value, for number: Value) -> Bool {
    if let owner = owners[other], owner != number { return false }
    guard !bounds.isEmpty else { return true }
    let (one, another) = (number.double, other.double)
    let place = firstBound(atLeast: min(one, another))
    return one == another || place == bounds.count || bounds[place] > max(one, another)
  }

  private func firstBound(atLeast number: Double) -> Int { bounds.partitioningIndex { $0 >= number } }
}
