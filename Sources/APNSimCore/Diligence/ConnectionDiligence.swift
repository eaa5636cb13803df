package import APNSimWire

/// The memory that a ``DiligenceWatch`` has of one gateway connection; the connection's record keeps it.
package struct ConnectionDiligence: BitwiseCopyable, Sendable {
  let openedAt: Timestamp
  /// The watch's debt of resends that stood open when this was opened; 0 for none.
  let debt: UInt32

  /// Notifications that are none of the owed ones, and those that are.
  var others = 0
  var resent = 0
  /// Notifications written after an error.
  var discarded = 0

  /// The latest read that completed a notification: its number (0 before the first), time and notifications.
  var read: UInt32 = 0
  var readAt: Timestamp
  var readCount = 0
  /// The number of reads up to that one that carried a single notification, closely spaced.
  var singles = 0
  var singlesSince: Timestamp
}

extension ConnectionDiligence {
  init(openedAt: Timestamp, debt: UInt32) {
    self.openedAt = openedAt
    self.debt = debt
    readAt = openedAt
    singlesSince = openedAt
  }
}

/// The habits that one batch of notifications shows, added up while the batch is judged.
package struct BatchDiligence: BitwiseCopyable, Hashable, Sendable {
  package var notifications = 0
  /// Payloads with white space that could have been left out, and how many bytes of it.
  package var withWhitespace = 0
  package var whitespaceBytes = 0
  package var alertsWithOnlyBody = 0
  package var withMisplacedKey = 0
  /// Notifications that make good an earlier discard.
  package var resent = 0

  package init() {}

  /// One more notification; cheap enough to be called for each.
  @inline(__always)
  package mutating func note(_ facts: PayloadFacts) {
    notifications &+= 1
    if facts.insignificantWhitespace > 0 {
      withWhitespace &+= 1
      whitespaceBytes &+= facts.insignificantWhitespace
    }
    if facts.alertHasOnlyBody { alertsWithOnlyBody &+= 1 }
    if facts.hasMisplacedKey { withMisplacedKey &+= 1 }
  }
}

extension ConnectionDiligence: KeptByMembers {
  static let members = Members(
    Self.init,
    \.openedAt,
    \.debt,
    \.others,
    \.resent,
    \.discarded,
    \.read,
    \.readAt,
    \.readCount,
    \.singles,
    \.singlesSince
  )
}
