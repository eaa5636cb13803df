import APNSimWire

/// The door of the binary interface: one call for one read's worth of frames, whose submissions are ruled on and
/// answered as this interface does.
extension World {
  /// A batch of frames of one connection, with what is the same for all of them.
  struct Batch {
    var frames: UnsafeMutableBufferPointer<JudgedFrame>
    var buffer: UnsafeRawBufferPointer
    var judge: FrameJudge
    var connection: GatewayRecord
    /// Which read of the connection this is, from 1.
    var read: UInt32
  }

  /// The judge of frames by the settings and token sizes of now.
  var judge: FrameJudge { FrameJudge(configuration, tokenSizes: devices.tokenSizes) }

  /// Takes a batch up to the first notification that ends the connection.
  /// - Returns: the index of that one in the batch, or nil when the connection goes on; and what is to be done on it.
  mutating func accept(_ batch: Batch) -> (last: Int?, action: GatewayAction) {
    let connection = batch.connection
    let (app, rules) = (connection.app, connection.rules)
    let read = clock.isVirtual ? 0 : batch.read
    let watchesResends = !apps[app].resends.isEmpty
    connection.lastActivity = now
    let first = history.nextNumber
    var diligence = BatchDiligence()
    var (last, action): (Int?, GatewayAction) = (nil, .none)
    devices.beginLookup(batch)
    for index in batch.frames.indices {
      devices.goOnWithLookup(batch, at: index)
      history.prefetch()
      prefetchStored(index &+ TokenLookup.lead, of: batch)
      batch.frames[index].submission.app = app
      let record = beginRecord(of: batch.frames[index].submission, in: batch, read: read, .rejected)
      record.pointee.failed = batch.frames[index].submission.failed
      record.pointee.isPayloadJudged = batch.frames[index].submission.failed == .none
      record.pointee.problem = batch.frames[index].submission.verdict.problem
      record.pointee.problemOffset = Int32(truncatingIfNeeded: batch.frames[index].submission.verdict.offset)
      diligence.note(batch.frames[index].submission.verdict.facts)
      let ruling = rule(
        on: batch.frames[index].submission,
        in: batch.buffer,
        among: rules,
        at: connection.counts.received + 1,
        known: devices.found(index),
        into: &record.pointee
      )
      connection.counts.received += 1
      switch ruling {
      case .accepted, .swallowed:
        keepAccepted(&record.pointee, batch.frames[index].submission.fields, connection)
      case .shutDown, .refused, .scripted, .ended:
        action = end(with: ruling, batch.frames[index], batch, &record.pointee)
        last = index
      }
      // Whatever came of it, it was sent again; a byte that is no command is no notification.
      if watchesResends, batch.frames[index].submission.failed != .command {
        let submission = batch.frames[index].submission
        let content = submission.fields.content(in: batch.buffer, from: submission.start)
        if noteResend(of: content, submission.fields.identifier, app: app, on: connection) {
          diligence.resent += 1
        }
      }
      if last != nil { break }
    }
    note(diligence, read: read, on: connection)
    noteArrivals(from: first)
    history.trim()
    return (last, action)
  }

  /// Asks for what waits for the device of a notification that comes soon: one for an offline device takes its place.
  @inline(__always)
  private func prefetchStored(_ index: Int, of batch: Batch) {
    guard index < batch.frames.count, let registration = devices.found(index) else { return }
    let handle = devices.registrations[registration].stored
    if handle != 0 { store.prefetch(handle) }
  }

  /// Begins the record of a notification in its place: its bytes are kept, and it has its place in the order.
  /// It counts from ``keep(_:)`` on.
  @inline(__always)
  mutating func beginRecord(
    of submission: Submission,
    in batch: Batch,
    read: UInt32,
    _ outcome: Outcome
  ) -> UnsafeMutablePointer<NotificationRecord> {
    let record = history.upcomingNotification()
    record.initialize(
      to: NotificationRecord(
        seq: history.takeSeq(),
        time: now,
        evidence: history.keep(submission.bytes(in: batch.buffer)),
        connection: batch.connection.id,
        read: read,
        submission,
        outcome: outcome
      )
    )
    return record
  }

  /// Puts an accepted notification into the history with the outcome it has now.
  @inline(__always)
  mutating func keepAccepted(
    _ record: inout NotificationRecord,
    _ fields: NotificationFields,
    _ connection: GatewayRecord
  ) {
    record.entry = record.outcome
    keep(record)
    connection.counts.accepted += 1
    if fields.hasIdentifier { connection.lastAccepted = fields.identifier }
  }

  /// The record that was begun is complete: it belongs to the history and counts.
  @inline(__always)
  mutating func keep(_ record: borrowing NotificationRecord) {
    tally.count(record)
    history.commitNotification()
  }
}

extension World.Batch: TokenBatch {
  var count: Int {
    @inline(__always) get { frames.count }
  }

  /// A connection to the gateway has one app.
  @inline(__always)
  func app(at index: Int) -> UInt16 { connection.app }

  @inline(__always)
  func token(at index: Int) -> UnsafeRawPointer? {
    let token = frames[index].submission.token(in: buffer)
    guard frames[index].submission.failed == .none, token.count == DeviceToken.byteCount else { return nil }
    return token.baseAddress
  }
}
