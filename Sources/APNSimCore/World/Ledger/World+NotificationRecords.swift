import APNSimWire

/// Records of notifications on their way into the history, whichever door they came through.
extension World {
  /// Begins the record of a notification in its place: its bytes are kept, and it has its place in the order.
  /// It counts from ``keep(_:)`` on.
  /// - Parameter buffer: what the submission's bytes are in.
  @inline(__always)
  mutating func beginRecord(
    of submission: UnsafePointer<Submission>,
    in buffer: UnsafeRawBufferPointer,
    on connection: ConnectionID,
    read: UInt32,
    _ outcome: Outcome
  ) -> UnsafeMutablePointer<NotificationRecord> {
    let record = history.upcomingNotification()
    record.initialize(
      to: NotificationRecord(
        seq: history.takeSeq(),
        time: now,
        evidence: history.keep(submission.pointee.bytes(in: buffer)),
        connection: connection,
        read: read,
        submission.pointee,
        outcome: outcome
      )
    )
    return record
  }

  /// The record that was begun is complete: it belongs to the history and counts.
  @inline(__always)
  mutating func keep(_ record: borrowing NotificationRecord) {
    tally.count(record)
    history.commitNotification()
  }
}
