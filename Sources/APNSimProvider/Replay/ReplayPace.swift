internal import APNSimCore

/// How fast a capture is played over the network: as it was, so many times faster or slower, or without any pause.
package struct ReplayPace: Hashable, Sendable, CustomStringConvertible {
  /// How many seconds of the capture pass in one; nil: no pauses at all.
  package var factor: Double?

  package init(factor: Double?) { self.factor = factor }

  package static let asCaptured = ReplayPace(factor: 1)
  package static let maximum = ReplayPace(factor: nil)

  /// How long after the beginning of the replay something is due.
  /// - Parameters:
  ///   - moment: when it happened in the capture.
  ///   - start: when the capture begins.
  func due(_ moment: Timestamp, from start: Timestamp) -> Duration {
    guard let factor else { return .zero }
    let span = max(0, (moment - start).milliseconds)
    return .milliseconds(min(Double(span) / factor, Double(Int64.max / 2)))
  }

  package var description: String { factor.map { "\($0.formatted())x" } ?? "max" }
}

extension Double {
  /// Without a fraction where there is none.
  fileprivate func formatted() -> String {
    self == rounded() && self < 1e9 ? String(Int(self)) : String(self)
  }
}
