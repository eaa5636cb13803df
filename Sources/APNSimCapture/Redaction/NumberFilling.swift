/// What the digits of long numbers are filled with: the same for the same value, however it is written, and on the same
/// side of everything that rules and expectations compare numbers with.
///
/// A zero stays one, and so does a digit that is none; the first digit becomes a one. Where that would bring a number to
/// another side of a bound, as many of its first digits stay as keep it there.
final class NumberFilling {
  typealias Value = WrittenNumber.Value

  /// What numbers have to be more or less than, in ascending order.
  private var bounds: [Double] = []
  /// What the numbers have become that tests want to find, and the other way round: no other number becomes that.
  private var wanted: [Value: Value] = [:]
  private var owners: [Value: Value] = [:]

  /// More bounds, and more numbers that are wanted, are not remembered.
  private static let most = 4096
  /// No more first digits than these decide on which side of a bound a number is, as far as a `Double` tells.
  private static let deciding = 20
  /// So many ways are tried before another digit is kept.
  private static let attempts = 4

  /// From here on numbers stay on their sides of this one.
  func keepSides(of bound: Double) {
    let place = firstBound(atLeast: bound)
    guard bounds.count < Self.most, place == bounds.count || bounds[place] != bound else { return }
    bounds.insert(bound, at: place)
  }

  /// From here on no other number becomes what this one does.
  /// - Parameter pad: bytes that a text decides.
  func want(_ number: Value, _ pad: ([UInt8]) -> [UInt8]) {
    guard !number.isKept, wanted.count < Self.most else { return }
    var other = number
    other.digits = digits(of: number, pad)
    wanted[number] = other
    owners[other] = number
  }

  /// As many digits as the number has.
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
  ///   - kept: how many digits stay.
  ///   - pad: bytes to choose the digits by; ones where there are none.
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
