/// A moment of the simulation, in milliseconds since 1970-01-01T00:00:00Z.
///
/// The core never asks what time it is: every input carries a timestamp, or the virtual clock provides one.
/// Arithmetic saturates, so that no expiry date or scenario can overflow it.
public struct Timestamp: RawRepresentable, Hashable, Comparable, BitwiseCopyable, Sendable {
  /// Milliseconds since the UNIX epoch, UTC.
  public var rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// The moment `seconds` after the UNIX epoch.
  public init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    rawValue = overflow ? (seconds < 0 ? .min : .max) : product
  }

  /// Whole seconds since the UNIX epoch, rounded down: what an expiry or a feedback tuple is compared with.
  public var seconds: Int64 {
    rawValue >= 0 ? rawValue / 1000 : -((-(rawValue + 1)) / 1000) - 1
  }

  /// The same as the 32 bits of a feedback tuple, clamped to what they can hold.
  package var tupleSeconds: UInt32 { UInt32(clamping: seconds) }

  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.rawValue < right.rawValue }

  /// The moment `span` later; saturates at the ends of time.
  public static func + (moment: Timestamp, span: TimeSpan) -> Timestamp {
    let (sum, overflow) = moment.rawValue.addingReportingOverflow(span.milliseconds)
    return Timestamp(rawValue: overflow ? (span.milliseconds < 0 ? .min : .max) : sum)
  }

  /// The time from `earlier` to this moment; saturates.
  public static func - (moment: Timestamp, earlier: Timestamp) -> TimeSpan {
    let (difference, overflow) = moment.rawValue.subtractingReportingOverflow(earlier.rawValue)
    return TimeSpan(milliseconds: overflow ? (moment.rawValue < 0 ? .min : .max) : difference)
  }
}

extension Timestamp: Kept {}
