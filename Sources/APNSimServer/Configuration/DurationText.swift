internal import APNSimCore

/// Real times as settings write them: what `TimeSpan` reads, and `250us`.
enum DurationText {
  static func parse(_ text: String) -> Duration? {
    if text == "off" { return .zero }
    if text.hasSuffix("us") {
      guard let count = Int64(text.dropLast(2)), count >= 0 else { return nil }
      return .microseconds(count)
    }
    guard let span = TimeSpan(text), span >= .zero else { return nil }
    return .milliseconds(span.milliseconds)
  }

  static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let microseconds = attoseconds / 1_000_000_000_000
    guard !overflow else { return TimeSpan(milliseconds: .max).description }
    if microseconds % 1000 != 0 {
      let (whole, overflow) = milliseconds.multipliedReportingOverflow(by: 1000)
      return overflow ? "\(seconds)s" : "\(whole + microseconds)us"
    }
    return TimeSpan(milliseconds: milliseconds + microseconds / 1000).description
  }
}
