/// The time that one provider has left its feedback list unread, and what it has sent meanwhile.
struct UnreadFeedback: BitwiseCopyable, Sendable {
  /// The time from which tuples wait for a reader; nil when none do.
  private var waitingSince: Timestamp?
  /// The number sent since then that is not reported yet, and whether something is.
  private var sent = 0
  private var isReported = false

  /// A tuple has come into the list.
  mutating func listed(at now: Timestamp) {
    if waitingSince == nil { wait(since: now) }
  }

  /// From now on the list is read up to what waits since that moment; nil when nothing does.
  mutating func wait(since moment: Timestamp?) {
    waitingSince = moment
    sent = 0
    isReported = false
  }

  /// Notifications were sent: how many were while the list had waited too long, not reported before, and since when.
  mutating func sent(
    _ notifications: Int,
    at now: Timestamp,
    limits: DiligenceLimits
  ) -> (count: Int, since: Timestamp)? {
    guard let since = waitingSince else { return nil }
    sent &+= notifications
    let isLate = now - since > limits.feedbackPatience || sent > limits.feedbackNotifications
    guard isLate || isReported else { return nil }
    defer { sent = 0 }
    isReported = true
    return (sent, since)
  }
}

extension UnreadFeedback: KeptByMembers {
  static let members = Members(Self.init, \.waitingSince, \.sent, \.isReported)
}
