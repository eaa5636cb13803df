import APNSimSystem
import COpenSSL

/// The real time in seconds since 1970-01-01T00:00:00Z, as certificates count it: never a simulated time.
package enum UnixTime {
  package static let secondsPerDay: Int64 = 86_400

  package static var now: Int64 { SystemClock.realTime.seconds }

  /// The instant of a certificate's field; `nil` when it is not a valid time.
  static func seconds(_ stamp: UnsafePointer<ASN1_TIME>?) -> Int64? {
    guard let stamp, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
    defer { ASN1_TIME_free(epoch) }
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard ASN1_TIME_diff(&days, &seconds, epoch, stamp) == 1 else { return nil }
    return Int64(days) * secondsPerDay + Int64(seconds)
  }
}
