import APNSimCore

/// Real time that does not go back by itself: the wall clock says where it begins, and the time that has elapsed since,
/// suspend included, how it goes on.
///
/// A wall clock that steps forward takes this time along, as an operator's advance does. One that steps back is let go:
/// whatever is due would stand still for as long.
struct SteadyTime: Sendable {
  /// A step of the wall clock against the time that elapsed.
  enum Step: Equatable, Sendable {
    case forward(TimeSpan)
    /// The wall clock is so far behind now.
    case back(TimeSpan)
  }

  /// A reading of both clocks at one moment, in nanoseconds: the wall clock's since 1970, the other's since any moment.
  struct Reading: BitwiseCopyable, Sendable {
    var wall: Int64
    var elapsed: Int64
  }

  /// A smaller difference is no step: reading two clocks takes time, and a wall clock is set right slowly all the time.
  static let tolerance: Int64 = 500_000_000

  /// The nanoseconds that this time is ahead of the time elapsed.
  private(set) var offset: Int64
  /// The distance by which the wall clock was behind when that was last told.
  private var toldBehind: Int64 = 0

  init(_ reading: Reading) { offset = reading.wall &- reading.elapsed }

  /// The time of a moment.
  func time(elapsed: Int64) -> Timestamp { Timestamp(rawValue: (elapsed &+ offset) / 1_000_000) }

  /// Looks whether the wall clock has stepped.
  /// - Returns: the step, which is told once.
  mutating func look(at reading: Reading) -> Step? {
    let ahead = reading.wall &- (reading.elapsed &+ offset)
    if ahead > Self.tolerance {
      offset &+= ahead
      toldBehind = 0
      return .forward(.milliseconds(ahead / 1_000_000))
    }
    let behind = 0 &- ahead
    if behind <= Self.tolerance { toldBehind = 0 }
    guard behind > toldBehind &+ Self.tolerance else { return nil }
    toldBehind = behind
    return .back(.milliseconds(behind / 1_000_000))
  }
}

extension SteadyTime.Step: CustomStringConvertible {
  /// The log's line on it.
  var description: String {
    switch self {
    case .forward(let span):
      "the system's clock stepped forward by \(span): the real clock goes on from there"
    case .back(let span):
      "the system's clock stepped back and is \(span) behind: the real clock goes on as if it had not, so that "
        + "nothing that is due stands still"
    }
  }
}
