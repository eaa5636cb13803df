/// What a ``DiligenceWatch`` must remember of one gateway connection; the connection's record keeps it.
package struct ConnectionDiligence: BitwiseCopyable, Sendable {
  let openedAt: Timestamp
  /// Which of the watch's debts of resends stood open when this was opened; 0 for none.
  let debt: UInt32

  /// Notifications that are none of the owed ones, and those that are.
  var others = 0
  var resent = 0
  /// Notifications written behind an error.
  var discarded = 0

  /// The latest read that completed a notification: its number (0 before the first), time and notifications.
  var read: UInt32 = 0
  var readAt: Timestamp
  var readCount = 0
  /// How many reads up to that one carried a single notification, closely spaced.
  var singles = 0
  var singlesSince: Timestamp

  init(openedAt: Timestamp, debt: UInt32) {
    self.openedAt = openedAt
    self.debt = debt
    readAt = openedAt
    singlesSince = openedAt
  }
}
