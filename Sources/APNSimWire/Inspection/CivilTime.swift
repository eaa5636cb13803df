/// A time of the wire as people write it: `2012-06-01T00:00:00Z`.
///
/// The calendar is computed (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"): the proleptic Gregorian
/// one, in years that begin in March, so that the leap day comes last.
package struct CivilTime: CustomStringConvertible, Hashable, Sendable {
  /// Seconds since 1970 UTC.
  package var seconds: UInt32

  package init(_ seconds: UInt32) {
    self.seconds = seconds
  }

  package var description: String {
    let (year, month, day) = date
    let time = Int(seconds) % 86_400
    let clock = [time / 3600, time / 60 % 60, time % 60].map { Self.padded($0) }.joined(separator: ":")
    return "\(year)-\(Self.padded(month))-\(Self.padded(day))T\(clock)Z"
  }

  private var date: (year: Int, month: Int, day: Int) {
    // Day 0 is 0000-03-01, 719,468 days before 1970-01-01; 146,097 days are an era of 400 years.
    let days = Int(seconds) / 86_400 + 719_468
    let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }

  private static func padded(_ value: Int) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }
}
