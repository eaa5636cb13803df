import COpenSSL

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Seconds since 1970-01-01T00:00:00Z, as certificates count them: the real time, never a simulated one.
package enum UnixTime {
  package static let secondsPerDay: Int64 = 86_400

  package static var now: Int64 { Int64(time(nil)) }

  /// The instant of a certificate's field; `nil` when it is not a valid time.
  static func seconds(_ stamp: UnsafePointer<ASN1_TIME>?) -> Int64? {
    guard let stamp, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
    defer { ASN1_TIME_free(epoch) }
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard ASN1_TIME_diff(&days, &seconds, epoch, stamp) == 1 else { return nil }
    return Int64(days) * secondsPerDay + Int64(seconds)
  }

  /// "2046-01-31", for listings.
  package static func date(_ seconds: Int64) -> String {
    // Days to civil date, counting years from March (Howard Hinnant, "chrono-compatible low-level date
    // algorithms").
    let clamped = min(max(seconds, -62_135_596_800), 253_402_300_799)
    let shifted = Int(clamped.floorDivided(by: secondsPerDay)) + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Int64 {
  fileprivate func floorDivided(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
