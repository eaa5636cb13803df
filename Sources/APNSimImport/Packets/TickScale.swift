import APNSimCore

/// The time scale of a capture file: ticks since 1970, so many in a second.
struct TickScale: Sendable, Hashable {
  /// Ticks in a second.
  var ticksPerSecond: UInt64
  /// Seconds to add to every time (if_tsoffset).
  var offset: Int64 = 0

  static let microseconds = TickScale(ticksPerSecond: 1_000_000)
  static let nanoseconds = TickScale(ticksPerSecond: 1_000_000_000)

  init(ticksPerSecond: UInt64, offset: Int64 = 0) {
    self.ticksPerSecond = max(1, ticksPerSecond)
    self.offset = offset
  }

  /// The value of if_tsresol: a power of ten, or of two when the highest bit is set (pcapng, section 4.2).
  /// - Returns: nil for a resolution that 64 bits cannot count.
  init?(resolution: UInt8) {
    let exponent = resolution & 0x7F
    if resolution & 0x80 != 0 {
      guard exponent < 64 else { return nil }
      self.init(ticksPerSecond: 1 << UInt64(exponent))
    } else {
      guard exponent < 20 else { return nil }
      self.init(ticksPerSecond: (0..<exponent).reduce(1) { product, _ in product * 10 })
    }
  }

  /// The moment of a tick, rounded down to milliseconds; saturates.
  func moment(_ ticks: UInt64) -> Timestamp {
    let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: ticksPerSecond)
    let product = rest.multipliedFullWidth(by: 1000)
    let milliseconds = ticksPerSecond.dividingFullWidth(product).quotient
    let (sum, overflow) = Int64(clamping: seconds).addingReportingOverflow(offset)
    let whole = Timestamp(seconds: overflow ? (offset < 0 ? .min : .max) : sum)
    return whole + TimeSpan(milliseconds: Int64(milliseconds))
  }
}
