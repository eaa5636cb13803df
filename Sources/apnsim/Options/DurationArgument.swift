import APNSimCore
import ArgumentParser

/// A length of real time as people write it: `5s`, `200ms`, `1m30s`; a number alone is seconds.
struct DurationArgument: ExpressibleByArgument, Hashable, Sendable, CustomStringConvertible {
  var duration: Duration
  private var text: String

  static let longest = Duration.seconds(365 * 86_400)

  /// - Throws: that an option wants some time, where this is none.
  func requireSome(_ option: String) throws(ValidationError) {
    if duration == .zero { throw ValidationError("\(option) must be more than 0 seconds") }
  }

  /// The default of every wait.
  static let usual = DurationArgument(seconds: 5)

  init(seconds: Int) { (duration, text) = (.seconds(seconds), "\(seconds)s") }

  init?(argument: String) {
    let span: Duration
    if let seconds = Double(argument), seconds.isFinite, abs(seconds) < 1e9 {
      span = .seconds(seconds)
      text = "\(argument)s"
    } else if let time = TimeSpan(argument) {
      span = .milliseconds(time.milliseconds)
      text = argument
    } else {
      return nil
    }
    guard span >= .zero, span <= Self.longest else { return nil }
    duration = span
  }

  /// Whole milliseconds, the control API's unit.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  var description: String { text }
}
