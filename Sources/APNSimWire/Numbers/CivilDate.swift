/// A day of the proleptic Gregorian calendar.
///
/// The computation (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms") uses years that begin in March, so
/// that the leap day comes last, and eras of 400 years, which have 146,097 days.
package struct CivilDate: Hashable, Sendable {
  package var year: Int64
  package var month: Int64
  package var day: Int64

  /// Day 0 is 1970-01-01, 719,468 days after 0000-03-01. The day must lie within the range of an `Int64` of
  /// milliseconds.
  package init(day number: Int64) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }
}
