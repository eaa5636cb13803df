/// A length of simulated time, written the way people write it: `300ms`, `5s`, `10m`, `2h`, `28d`, `1h30m`.
public struct TimeSpan: Hashable, Comparable, BitwiseCopyable, Sendable, CustomStringConvertible {
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static let zero = TimeSpan(milliseconds: 0)
  public static func milliseconds(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count) }
  public static func seconds(_ count: Int64) -> TimeSpan { scaled(count, 1000) }
  public static func minutes(_ count: Int64) -> TimeSpan { scaled(count, 60_000) }
  public static func hours(_ count: Int64) -> TimeSpan { scaled(count, 3_600_000) }
  public static func days(_ count: Int64) -> TimeSpan { scaled(count, 86_400_000) }

  /// The span of the same length the other way; the longest of all where it has no counterpart.
  package static prefix func - (span: TimeSpan) -> TimeSpan {
    TimeSpan(milliseconds: span.milliseconds == .min ? .max : -span.milliseconds)
  }

  public static func < (left: TimeSpan, right: TimeSpan) -> Bool { left.milliseconds < right.milliseconds }

  /// Reads `300ms`, `5s`, `10m`, `2h`, `28d`, a fraction of one (`1.5h`) or several of them in a row (`1h30m`); nil for
  /// anything else, a number without a unit (but `0`), parts of a millisecond and what does not fit included.
  public init?(_ text: some StringProtocol) {
    var total: Int64 = 0
    var rest = Array(text.utf8)[...]
    if rest.elementsEqual([UInt8(ascii: "0")]) {
      self = .zero
      return
    }
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let whole = Self.take("0"..."9", from: &rest)
      var decimals = ""
      if rest.first == UInt8(ascii: ".") {
        rest.removeFirst()
        decimals = Self.take("0"..."9", from: &rest)
        guard !decimals.isEmpty else { return nil }
      }
      guard
        !whole.isEmpty, let scale = Self.units[Self.take("a"..."z", from: &rest)],
        let part = Self.milliseconds(whole, decimals, scale)
      else { return nil }
      let (sum, overflow) = total.addingReportingOverflow(part)
      guard !overflow else { return nil }
      total = sum
    }
    milliseconds = total
  }

  /// `whole.decimals` times a unit, where that is whole milliseconds.
  private static func milliseconds(_ whole: String, _ decimals: String, _ scale: Int64) -> Int64? {
    // Nine decimals of a day are less than a tenth of a millisecond.
    guard decimals.count <= 9, let digits = Int64(whole + decimals) else { return nil }
    let (product, overflow) = digits.multipliedReportingOverflow(by: scale)
    let divisor = decimals.reduce(Int64(1)) { power, _ in power * 10 }
    return overflow || product % divisor != 0 ? nil : product / divisor
  }

  private static func take(
    _ characters: ClosedRange<Unicode.Scalar>,
    from text: inout ArraySlice<UInt8>
  ) -> String {
    let taken = text.prefix { characters.contains(Unicode.Scalar($0)) }
    text = text.dropFirst(taken.count)
    return String(decoding: taken, as: UTF8.self)
  }

  /// The shortest exact form of the same grammar: `1h30m`, `250ms`, `0`.
  public var description: String {
    guard milliseconds != 0 else { return "0" }
    var text = milliseconds < 0 ? "-" : ""
    var rest = milliseconds.magnitude
    for (unit, scale) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)]
      as [(String, UInt64)] where rest >= scale
    {
      text += "\(rest / scale)\(unit)"
      rest %= scale
    }
    return text
  }

  private static let units: [String: Int64] = [
    "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
  ]

  private static func scaled(_ count: Int64, _ scale: Int64) -> TimeSpan {
    let (product, overflow) = count.multipliedReportingOverflow(by: scale)
    return TimeSpan(milliseconds: overflow ? (count < 0 ? .min : .max) : product)
  }
}

extension TimeSpan: KeptByMembers {
  static let members = Members(Self.init, \.milliseconds)
}
