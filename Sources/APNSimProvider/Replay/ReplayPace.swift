import APNSimCore

/// The speed of a replay over the network: as captured, a multiple of that, or without pauses.
package struct ReplayPace: Hashable, Sendable, CustomStringConvertible {
  /// The seconds of the capture that pass in one second; nil makes no pauses.
  package var factor: Double?

  package init(factor: Double?) { self.factor = factor }

  package static let asCaptured = ReplayPace(factor: 1)
  package static let maximum = ReplayPace(factor: nil)

  /// The delay of a moment after the beginning of the replay.
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
