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

  /// Judges a batch up to the first notification that ends the connection.
  /// - Returns: the index of that one in the batch, or nil when the connection goes on.
  mutating func accept(_ batch: Batch, action: inout GatewayAction) -> Int? {
    let connection = batch.connection
    let read = clock.isVirtual ? 0 : batch.read
    let watchesResends = !apps[Int(connection.app)].resends.isEmpty
    connection.lastActivity = now
    let first = history.nextNumber
    let owed = apps[Int(connection.app)].resends.count
    var diligence = BatchDiligence()
    var last: Int?
    let lookup = TokenLookup.Batch(frames: batch.frames, buffer: batch.buffer, app: connection.app)
    devices.beginLookup(lookup)
    for index in batch.frames.indices {
      devices.goOnWithLookup(lookup, at: index)
      let judged = batch.frames[index]
      let frame = judged.frame
      let bytes = UnsafeRawBufferPointer(rebasing: batch.buffer[frame.start..<frame.end])
      var record = NotificationRecord(
        seq: history.takeSeq(),
        time: now,
        frame: history.keep(bytes),
        frameByteCount: UInt32(truncatingIfNeeded: bytes.count),
        connection: connection.id,
        read: read,
        app: connection.app,
        outcome: .rejected
      )
      record.failed = judged.failed
      record.problem = judged.payload.problem
      record.payloadOffset = Int32(truncatingIfNeeded: judged.payload.offset)
      var resent: (connection: ConnectionID, reference: ProviderReference)?
      if watchesResends, judged.failed == .none {
        resent = apps[Int(connection.app)].resends.received(
          content: frame.content(in: batch.buffer),
          identifier: frame.identifier
        )
      }
      diligence.note(judged.payload.facts)
      let goesOn = judge(judged, at: index, bytes, batch, &record, &action)
      connection.counts.received += 1
      if let resent {
        let number = history.nextNumber - 1
        emit(.resent(resent.connection, resent.reference, notification: number))
      }
      guard goesOn else {
        last = index
        break
      }
    }
    diligence.resent = owed - apps[Int(connection.app)].resends.count
    note(diligence, read: read, on: connection)
    noteArrivals(from: first)
    history.trim()
    return last
  }

  /// One notification, from script to settlement; false when the connection ends with it.
  @inline(__always)
  private mutating func judge(
    _ judged: JudgedFrame,
    at index: Int,
    _ bytes: UnsafeRawBufferPointer,
    _ batch: Batch,
    _ record: inout NotificationRecord,
    _ action: inout GatewayAction
  ) -> Bool {
    var decision = Decision.proceed
    if judged.failed == .none, batch.connection.isScripted || mayBeMagic(judged.frame, in: batch.buffer) {
      decision = decide(judged, in: batch.buffer, on: batch.connection, record: &record)
    }
    var closing: Reply?
    switch decision {
    case .proceed, .device: break
    case .reply(let reply) where reply.status == .shutdown: closing = reply
    case .reply, .end: record.failed = .rule
    case .swallow:
      record.outcome = .dropped
      keepAccepted(&record, judged.frame, batch.connection)
      return true
    }
    if record.failed == .none {
      resolveToken(of: judged.frame, devices.found(index), decision, in: batch.buffer, into: &record)
    }
    if record.failed == .none { record.failed = judged.failedContent }
    guard record.failed == .none else {
      reject(judged.frame, decision, batch, record, &action)
      return false
    }
    settle(judged, bytes, decision, batch, &record)
    guard let closing else { return true }
    // A shutdown lets the notification that triggers it through: its identifier is the one that the response names.
    if closing.afterFrames <= 0, closing.delay <= .zero { action.ending = .drain }
    answer(closing, judged.frame, number: history.nextNumber - 1, on: batch.connection, &action)
    return false
  }

  /// Whether the token begins as magic tokens do.
  @inline(__always)
  private func mayBeMagic(_ frame: Frame, in buffer: UnsafeRawBufferPointer) -> Bool {
    let token = frame.token
    return configuration.magicTokens && token.count == DeviceToken.byteCount
      && MagicToken.mayBegin(buffer[token.lowerBound], buffer[token.lowerBound + 1])
  }

  /// The notification is accepted.
  private mutating func settle(
    _ judged: JudgedFrame,
    _ bytes: UnsafeRawBufferPointer,
    _ decision: Decision,
    _ batch: Batch,
    _ record: inout NotificationRecord
  ) {
    var arrival = Arrival(
      registration: record.registration,
      number: history.nextNumber,
      frame: bytes,
      position: record.frame,
      expiry: batch.judge.expiry(of: judged.frame),
      facts: judged.payload.facts,
      isReadable: judged.payload.isFine || Self.isReadable(judged, in: batch.buffer),
      connection: batch.connection.id
    )
    if case .device(let magic) = decision { arrival.magic = magic }
    (record.outcome, record.replaced) = settle(arrival)
    keepAccepted(&record, judged.frame, batch.connection)
  }

  /// Puts an accepted notification into the history with the outcome it has now.
  private mutating func keepAccepted(
    _ record: inout NotificationRecord,
    _ frame: Frame,
    _ connection: ConnectionRecord
  ) {
    record.entry = record.outcome
    history.append(record)
    connection.counts.accepted += 1
    if frame.hasIdentifier { connection.lastAccepted = frame.identifier }
  }

  /// Under the lenient policy: whether a device gets anything out of a payload that is not by the tables. MDM and
  /// Wallet send payloads without a usable `aps` on purpose.
  private static func isReadable(_ judged: JudgedFrame, in buffer: UnsafeRawBufferPointer) -> Bool {
    guard judged.payload.problem.isJSON, judged.payload.problem.category != .keyType else { return false }
    guard let value = try? JSONValue.parse(buffer[judged.frame.payload]) else { return false }
    guard case .object(let members) = value else { return false }
    if members.isEmpty || value["mdm"] != nil { return true }
    return value["aps"] == .string("")
  }
}
