internal import APNSimWire

/// The gateway's decisions that need to know apps and devices: one call for one read's worth of frames.
extension World {
  /// A batch of frames of one connection, with what is the same for all of them.
  struct Batch {
    var frames: UnsafeBufferPointer<JudgedFrame>
    var buffer: UnsafeRawBufferPointer
    var judge: FrameJudge
    var connection: ConnectionRecord
    /// Which read of the connection this is, from 1.
    var read: UInt32
  }

  /// What frames are judged by now.
  var judge: FrameJudge { FrameJudge(configuration, tokenSizes: devices.tokenSizes) }

  /// Judges a batch up to the first notification that ends the connection.
  /// - Returns: the index of that one in the batch, or nil when the connection goes on.
  mutating func accept(_ batch: Batch, action: inout GatewayAction) -> Int? {
    let connection = batch.connection
    let read = clock.isVirtual ? 0 : batch.read
    let watchesResends = !apps[Int(connection.app)].resends.isEmpty
    connection.lastActivity = now
    let first = history.nextNumber
    var diligence = BatchDiligence()
    var last: Int?
    let lookup = TokenLookup.Batch(frames: batch.frames, buffer: batch.buffer, app: connection.app)
    devices.beginLookup(lookup)
    for index in batch.frames.indices {
      devices.goOnWithLookup(lookup, at: index)
      history.prefetch()
      prefetchStored(index &+ TokenLookup.lead, of: batch)
      let record = beginRecord(of: batch.frames[index].frame, in: batch, read: read, .rejected)
      record.pointee.failed = batch.frames[index].failed
      record.pointee.problem = batch.frames[index].payload.problem
      record.pointee.payloadOffset = Int32(truncatingIfNeeded: batch.frames[index].payload.offset)
      diligence.note(batch.frames[index].payload.facts)
      let goesOn = judge(index, of: batch, &record.pointee, &action)
      // Whatever came of it, it was sent again; a byte that is no command is no notification.
      if watchesResends, batch.frames[index].failed != .command {
        let frame = batch.frames[index].frame
        if noteResend(of: frame.content(in: batch.buffer), frame.identifier, on: connection) {
          diligence.resent += 1
        }
      }
      guard goesOn else {
        last = index
        break
      }
    }
    note(diligence, read: read, on: connection)
    noteArrivals(from: first)
    history.trim()
    return last
  }

  /// Asks for what waits for the device of a frame that comes soon: one for an offline device takes its place.
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
    of frame: Frame,
    in batch: Batch,
    read: UInt32,
    _ outcome: Outcome
  ) -> UnsafeMutablePointer<NotificationRecord> {
    let bytes = frame.bytes(in: batch.buffer)
    let record = history.upcomingNotification()
    record.initialize(
      to: NotificationRecord(
        seq: history.takeSeq(),
        time: now,
        frame: history.keep(bytes),
        frameByteCount: UInt32(truncatingIfNeeded: bytes.count),
        connection: batch.connection.id,
        read: read,
        app: batch.connection.app,
        outcome: outcome
      )
    )
    return record
  }

  /// One notification, from script to settlement; false when the connection ends with it.
  @inline(__always)
  private mutating func judge(
    _ index: Int,
    of batch: Batch,
    _ record: inout NotificationRecord,
    _ action: inout GatewayAction
  ) -> Bool {
    let frame = batch.frames[index].frame
    var decision = Decision.proceed
    if record.failed == .none, batch.connection.isScripted || mayBeMagic(frame, in: batch.buffer) {
      decision = decide(batch.frames[index], in: batch.buffer, on: batch.connection, record: &record)
    }
    batch.connection.counts.received += 1
    var closing: Reply?
    switch decision {
    case .proceed, .device: break
    case .reply(let reply) where reply.status == .shutdown: closing = reply
    case .reply, .end: record.failed = .rule
    case .swallow:
      record.outcome = .dropped
      noteOwner(of: frame, in: batch.buffer, into: &record)
      keepAccepted(&record, frame, batch.connection)
      return true
    }
    if record.failed == .none {
      resolveToken(of: frame, devices.found(index), decision, in: batch.buffer, into: &record)
    }
    if record.failed == .none { record.failed = batch.frames[index].failedContent }
    guard record.failed == .none else {
      reject(frame, decision, batch, &record, &action)
      return false
    }
    settle(index, of: batch, decision, &record)
    guard let closing else { return true }
    // A shutdown lets the notification that triggers it through: its identifier is the one that the response names.
    if closing.afterFrames <= 0, closing.delay <= .zero { action.ending = .drain }
    answer(closing, frame, number: history.nextNumber - 1, on: batch.connection, &action)
    return false
  }

  /// Whether the token begins as magic tokens do.
  @inline(__always)
  private func mayBeMagic(_ frame: Frame, in buffer: UnsafeRawBufferPointer) -> Bool {
    let token = frame.token(in: buffer)
    return configuration.magicTokens && token.count == DeviceToken.byteCount
      && MagicToken.mayBegin(token[0], token[1])
  }

  /// The notification is accepted.
  @inline(__always)
  private mutating func settle(
    _ index: Int,
    of batch: Batch,
    _ decision: Decision,
    _ record: inout NotificationRecord
  ) {
    let frame = batch.frames[index].frame
    let facts = batch.frames[index].payload.facts
    var arrival = Arrival(
      registration: record.registration,
      number: history.nextNumber,
      frame: frame.bytes(in: batch.buffer),
      position: record.frame,
      expiry: batch.judge.expiry(of: frame),
      badge: facts.newBadge,
      isReadable: batch.frames[index].payload.isFine
        || Self.isReadable(batch.frames[index], in: batch.buffer)
    )
    if case .device(let magic) = decision { arrival.magic = magic }
    let underwayBefore = underway.count
    (record.outcome, record.replaced) = settle(arrival)
    record.isUnderway = underway.count > underwayBefore
    keepAccepted(&record, frame, batch.connection)
  }

  /// Puts an accepted notification into the history with the outcome it has now.
  @inline(__always)
  private mutating func keepAccepted(
    _ record: inout NotificationRecord,
    _ frame: Frame,
    _ connection: ConnectionRecord
  ) {
    record.entry = record.outcome
    keep(record)
    connection.counts.accepted += 1
    if frame.hasIdentifier { connection.lastAccepted = frame.identifier }
  }

  /// The record that was begun is complete: it belongs to the history and counts.
  @inline(__always)
  mutating func keep(_ record: borrowing NotificationRecord) {
    tally.count(record)
    history.commitNotification()
  }

  /// Under the lenient policy: whether a device gets anything out of a payload that is not by the tables. MDM and
  /// Wallet send payloads without a usable `aps` on purpose.
  @inline(never)
  private static func isReadable(_ judged: JudgedFrame, in buffer: UnsafeRawBufferPointer) -> Bool {
    guard judged.payload.problem.isJSON,
      let value = try? JSONValue.parse(judged.frame.payload(in: buffer)),
      case .object(let members) = value
    else { return false }
    if judged.payload.problem.category == .keyType { return hasReadableKey(value, members) }
    if members.isEmpty || value["mdm"] != nil { return true }
    return value["aps"] == .string("")
  }

  /// A device ignores a key whose value is not of the type that Table 3-1 gives: whether it has another one.
  private static func hasReadableKey(_ payload: JSONValue, _ members: [JSONValue.Member]) -> Bool {
    if members.contains(where: { $0.key != "aps" }) { return true }
    return (payload["aps"]?.objectValue ?? []).contains { member in
      switch (member.key, member.value) {
      case ("alert", .string), ("alert", .object), ("sound", .string): true
      case ("badge", .number), ("content-available", .number): true
      case ("alert", _), ("sound", _), ("badge", _), ("content-available", _): false
      default: true
      }
    }
  }
}
