/// How many lines one kind of event may write to the log: a burst, then a trickle.
///
/// A hostile peer can cause as many events as it likes; the log shall still be readable and the disk not full.
struct LineBudget {
  private static let burst = 10.0
  private static let perSecond = 1.0

  private var tokens = LineBudget.burst
  private var last: UInt64 = 0
  private(set) var suppressed = 0

  /// Whether one more line is good at a time in nanoseconds; if not, it is counted.
  mutating func spend(at now: UInt64) -> Bool {
    let passed = Double(now > last ? now - last : 0) / 1e9
    last = max(last, now)
    tokens = min(Self.burst, tokens + passed * Self.perSecond)
    guard tokens >= 1 else {
      suppressed += 1
      return false
    }
    tokens -= 1
    return true
  }

  /// The number of lines that were left out since it was last asked.
  mutating func takeSuppressed() -> Int {
    defer { suppressed = 0 }
    return suppressed
  }
}
