import APNSimWire

/// The door of the binary interface: one call for one read's worth of frames, whose submissions are ruled on and
/// answered as this interface does.
extension World {
  /// A batch of submissions of one connection, with what is the same for all of them.
  struct Batch {
    var submissions: UnsafeMutablePointer<Submission>
    var count: Int
    var buffer: UnsafeRawBufferPointer
    var judge: FrameJudge
    var connection: GatewayRecord
    /// The number of this read of the connection, from 1.
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
    let watchesDuplicates = apps[app].duplicates.isWatching
    connection.lastActivity = now
    let first = history.nextNumber
    var diligence = BatchDiligence()
    var (last, action): (Int?, GatewayAction) = (nil, .none)
    guard let base = batch.buffer.baseAddress else { return (nil, .none) }
    let tokens = SubmittedTokens(batch, base: base)
    devices.beginLookup(tokens)
    for index in 0..<batch.count {
      devices.goOnWithLookup(tokens, at: index)
      history.prefetch()
      prefetchStored(index &+ TokenLookup.lead, of: batch)
      let submission = batch.submissions + index
      submission.pointee.app = app
      if submission.pointee.failedContent == .payload { excusePrescribed(submission, in: batch.buffer) }
      let record = beginRecord(
        of: submission,
        in: batch.buffer,
        on: connection.id,
        read: read,
        .rejected
      )
      record.pointee.isPayloadJudged = submission.pointee.failed == .none
      record.pointee.problem = submission.pointee.verdict.problem
      record.pointee.problemOffset = Int32(truncatingIfNeeded: submission.pointee.verdict.offset)
      diligence.note(submission.pointee.verdict.facts)
      var frame = JudgedFrame(submission: submission, buffer: batch.buffer, known: devices.found(index))
      let place = connection.counts.received + 1
      let ruling = rule(on: &frame, among: rules, at: place, into: &record.pointee)
      connection.counts.received += 1
      if ruling.isSilence {
        keepAccepted(&record.pointee, connection)
      } else {
        action = end(with: ruling, batch, &record.pointee)
        last = index
      }
      // A notification was sent again, whatever its outcome; a byte that is no command is none.
      if watchesResends || watchesDuplicates, submission.pointee.failed != .command {
        let mayBeDuplicate = watchesDuplicates && last == nil
        if noteRepetition(of: submission, in: batch, mayBeDuplicate: mayBeDuplicate) { diligence.resent += 1 }
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
    guard index < batch.count, let registration = devices.found(index) else { return }
    let handle = devices.registrations[registration].stored
    if handle != 0 { store.prefetch(handle) }
  }

  /// A payload that Apple prescribes for the topic has not failed, whatever the tables say of apps.
  @inline(never)
  private func excusePrescribed(
    _ submission: UnsafeMutablePointer<Submission>,
    in buffer: UnsafeRawBufferPointer
  ) {
    let topic = apps[submission.pointee.app].key.topic
    guard PrescribedPayload(topic: topic)?.fits(submission.pointee.payload(in: buffer)) == true else {
      return
    }
    submission.pointee.failedContent = .none
  }

  /// Looks whether the latest notification was sent before. What makes good one that was discarded is no duplicate of one
  /// like it that stands.
  /// - Returns: true if it makes good what another connection lost.
  @inline(never)
  private mutating func noteRepetition(
    of submission: UnsafeMutablePointer<Submission>,
    in batch: Batch,
    mayBeDuplicate: Bool
  ) -> Bool {
    let (identifier, connection) = (submission.pointee.fields.identifier, batch.connection)
    var content = NotificationContent(submission, in: batch.buffer)
    if noteResend(of: &content, identifier, app: connection.app, on: connection) { return true }
    if mayBeDuplicate, submission.pointee.fields.hasIdentifier {
      noteDuplicate(&content, identifier, on: connection)
    }
    return false
  }

  /// Puts an accepted notification into the history with the outcome it has now.
  @inline(__always)
  mutating func keepAccepted(
    _ record: inout NotificationRecord,
    _ connection: GatewayRecord
  ) {
    record.entry = record.outcome
    keep(record)
    connection.counts.accepted += 1
    if record.fields.hasIdentifier { connection.lastAccepted = record.fields.identifier }
  }
}

/// The tokens of a batch, to be looked up ahead.
private struct SubmittedTokens: TokenBatch {
  let submissions: UnsafePointer<Submission>
  let count: Int
  /// The buffer's beginning.
  let base: UnsafeRawPointer
  /// A connection to the gateway has one app.
  let app: UInt16

  init(_ batch: World.Batch, base: UnsafeRawPointer) {
    submissions = UnsafePointer(batch.submissions)
    (count, app) = (batch.count, batch.connection.app)
    self.base = base
  }

  @inline(__always)
  func app(at index: Int) -> UInt16 { app }

  /// Of a submission whose structure is right the token is there.
  @inline(__always)
  func token(at index: Int) -> UnsafeRawPointer? {
    let submission = submissions + index
    guard submission.pointee.failed == .none,
      Int(submission.pointee.fields.tokenLength) == DeviceToken.byteCount
    else { return nil }
    return base + (submission.pointee.start &+ Int(submission.pointee.fields.tokenStart))
  }
}
