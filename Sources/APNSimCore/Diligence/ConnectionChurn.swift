import DequeModule

/// The short connections of one provider, and whether it has been quiet since there were too many of them.
struct ConnectionChurn: Sendable {
  /// When the latest short ones were closed, oldest first, and how many of them are not reported yet.
  private var closings: Deque<Timestamp> = []
  private var unreported = 0
  /// There was churn, and until then the provider has not been quiet for long enough.
  private var restlessUntil: Timestamp?

  /// A short connection was closed: how many make churn now that were not reported before, and since when.
  mutating func closed(at now: Timestamp, limits: DiligenceLimits) -> (count: Int, since: Timestamp)? {
    let limit = max(1, limits.churnConnections)
    while let oldest = closings.first, now - oldest >= limits.churnWindow || closings.count >= limit {
      closings.removeFirst()
    }
    closings.append(now)
    unreported = min(unreported + 1, closings.count)
    guard closings.count == limit else { return nil }
    let churn = (count: unreported, since: closings[limit - unreported])
    unreported = 0
    restlessUntil = now + limits.churnQuiet
    return churn
  }

  func refuses(at now: Timestamp) -> Bool { restlessUntil.map { now < $0 } ?? false }

  /// Another attempt, which was refused: quiet begins anew.
  mutating func refused(at now: Timestamp, limits: DiligenceLimits) {
    restlessUntil = now + limits.churnQuiet
  }
}

extension ConnectionChurn: KeptByMembers {
  static let members = Members(Self.init, \.closings, \.unreported, \.restlessUntil)

  func complete(_ state: StateReader) throws(StateError) {
    try state.expectTallies(unreported)
  }
}
