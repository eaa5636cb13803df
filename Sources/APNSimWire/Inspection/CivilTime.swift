/// A 32-bit time of the wire in ISO 8601: `2012-06-01T00:00:00Z`.
package struct CivilTime: CustomStringConvertible, Hashable, Sendable {
  /// Seconds since 1970 UTC.
  package var seconds: UInt32

  package init(_ seconds: UInt32) {
    self.seconds = seconds
  }

  package var description: String {
    let date = CivilDate(day: Int64(seconds) / 86_400)
    let time = Int64(seconds) % 86_400
    let clock = [time / 3600, time / 60 % 60, time % 60].map { Self.padded($0) }.joined(separator: ":")
    return "\(date.year)-\(Self.padded(date.month))-\(Self.padded(date.day))T\(clock)Z"
  }

  private static func padded(_ value: Int64) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }
}
