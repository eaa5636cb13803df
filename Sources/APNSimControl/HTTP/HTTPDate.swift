import APNSimWire

/// The date of an answer (RFC 9110, 5.6.7): `Fri, 01 Jun 2012 00:00:00 GMT`.
enum HTTPDate {
  /// Day 0, 1970-01-01, was a Thursday.
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// - Parameter seconds: the time since 1970, UTC.
  static func text(_ seconds: Int64) -> String {
    let (day, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let date = CivilDate(day: day)
    let clock = [second / 3600, second / 60 % 60, second % 60].map(padded).joined(separator: ":")
    let (weekday, month) = (weekdays[Int(day % 7)], months[Int(date.month - 1)])
    return "\(weekday), \(padded(date.day)) \(month) \(date.year) \(clock) GMT"
  }

  private static func padded(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
