/// The counts since the last reset, whatever the history still holds.
package struct Tally: Sendable {
  /// Notifications by what became of them when they came in, by `Outcome.rawValue`.
  package private(set) var received = [UInt64](repeating: 0, count: Outcome.allCases.count)
  /// Stored notifications by what became of them later.
  package private(set) var settled = [UInt64](repeating: 0, count: Outcome.allCases.count)
  /// Rejected notifications by their status.
  package private(set) var rejected = [UInt64](repeating: 0, count: 256)
  /// Bytes of notifications.
  package private(set) var bytes: UInt64 = 0

  @inline(__always)
  mutating func count(_ record: borrowing NotificationRecord) {
    received[Int(record.entry.rawValue)] &+= 1
    bytes &+= UInt64(record.evidenceByteCount)
    if record.entry == .rejected { rejected[Int(record.status)] &+= 1 }
  }

  mutating func settle(_ outcome: Outcome) { settled[Int(outcome.rawValue)] &+= 1 }
}
