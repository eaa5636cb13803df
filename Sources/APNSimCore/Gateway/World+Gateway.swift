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
    let owed = apps[Int(connection.app)].resends.count
    var diligence = BatchDiligence()
    var last: Int?
    for index in batch.frames.indices {
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
      if watchesResends, judged.failed == .none {
        apps[Int(connection.app)].resends.received(
          content: Self.content(of: frame, in: batch.buffer),
          identifier: frame.identifier
        )
      }
      diligence.note(judged.payload.facts)
      let goesOn = judge(judged, bytes, batch, &record, &action)
      connection.counts.received += 1
      guard goesOn else {
        last = index
        break
      }
    }
    diligence.resent = owed - apps[Int(connection.app)].resends.count
    note(diligence, read: read, on: connection)
    history.trim()
    return last
  }

  /// One notification, from script to settlement; false when the connection ends with it.
  @inline(__always)
  private mutating func judge(
    _ judged: JudgedFrame,
    _ bytes: UnsafeRawBufferPointer,
    _ batch: Batch,
    _ record: inout NotificationRecord,
    _ action: inout GatewayAction
  ) -> Bool {
    var decision = Decision.proceed
    if judged.failed == .none, batch.connection.isScripted || configuration.magicTokens {
      decision = decide(judged, in: batch.buffer, on: batch.connection, record: &record)
    }
    var closing: Reply?
    switch decision {
    case .proceed, .device: break
    case .reply(let reply) where reply.status == .shutdown: closing = reply
    case .reply, .end: record.failed = .rule
    case .swallow:
      return accept(record, as: .dropped, judged.frame, batch.connection)
    }
    if record.failed == .none { resolveToken(of: judged.frame, decision, in: batch.buffer, into: &record) }
    if record.failed == .none { record.failed = judged.failedContent }
    guard record.failed == .none else {
      reject(judged.frame, decision, batch, record, &action)
      return false
    }
    settle(judged, bytes, decision, batch, &record)
    guard let closing else { return true }
    // A shutdown lets the notification that triggers it through: its identifier is the one that the response names.
    action.ending = .drain
    answer(closing, judged.frame, number: history.nextNumber - 1, on: batch.connection, &action)
    return false
  }

  /// The notification is accepted: its outcome is an event of its own, right behind it.
  private mutating func settle(
    _ judged: JudgedFrame,
    _ bytes: UnsafeRawBufferPointer,
    _ decision: Decision,
    _ batch: Batch,
    _ record: inout NotificationRecord
  ) {
    _ = history.takeSeq()
    var arrival = Arrival(
      registration: record.registration,
      number: history.nextNumber,
      frame: bytes,
      position: record.frame,
      expiry: batch.judge.expiry(of: judged.frame),
      facts: judged.payload.facts,
      isReadable: judged.payload.problem == .none || Self.isReadable(judged, in: batch.buffer),
      connection: batch.connection.id
    )
    if case .device(let magic) = decision { arrival.magic = magic }
    (record.outcome, record.replaced) = settle(arrival)
    record.entry = record.outcome
    history.append(record)
    batch.connection.counts.accepted += 1
    if judged.frame.hasIdentifier { batch.connection.lastAccepted = judged.frame.identifier }
  }

  private mutating func accept(
    _ record: NotificationRecord,
    as outcome: Outcome,
    _ frame: Frame,
    _ connection: ConnectionRecord
  ) -> Bool {
    _ = history.takeSeq()
    var record = record
    record.outcome = outcome
    record.entry = outcome
    history.append(record)
    connection.counts.accepted += 1
    if frame.hasIdentifier { connection.lastAccepted = frame.identifier }
    return true
  }

  /// Finds what the token stands for, or the fault that is status 8.
  @inline(__always)
  private mutating func resolveToken(
    of frame: Frame,
    _ decision: Decision,
    in buffer: UnsafeRawBufferPointer,
    into record: inout NotificationRecord
  ) {
    let token = UnsafeRawBufferPointer(rebasing: buffer[frame.token])
    if let found = devices.find(app: record.app, token: token),
      configuration.tokens != .issued || record.magic
        || devices.registrations[found].flags.contains(.issued)
    {
      record.registration = found
      return
    }
    let isOnline = if case .device(let magic) = decision { magic.kind != .offline } else { true }
    switch meet(token, app: record.app, isMagic: record.magic, isOnline: isOnline) {
    case .success(let made): record.registration = made
    case .failure(let fault):
      record.failed = .token
      record.tokenFault = fault.reason
    }
  }

  struct UnknownToken: Error { var reason: TokenFault }

  /// A token that is not registered for the app: a device on first sight, or no device at all.
  @inline(never)
  private mutating func meet(
    _ token: UnsafeRawBufferPointer,
    app: UInt16,
    isMagic: Bool,
    isOnline: Bool
  ) -> Result<UInt32, UnknownToken> {
    var flags: Registration.Flags = .installed
    switch configuration.tokens {
    case .any: break
    case .known where isMagic, .issued where isMagic: break
    case .known: return .failure(UnknownToken(reason: fault(of: token, app: app)))
    case .issued:
      guard issuer.open(Array(token), app: apps[Int(app)].key) != nil else {
        return .failure(UnknownToken(reason: issuedFault(of: Array(token), app: app)))
      }
      flags.insert(.issued)
    }
    guard
      devices.liveDevices < configuration.limits.devices,
      let device = devices.addDevice(name: nil, isOnline: isOnline),
      let registration = devices.register(
        device: device,
        app: app,
        token: token,
        flags: flags,
        at: now
      )
    else { return .failure(UnknownToken(reason: .tooManyDevices)) }
    return .success(registration)
  }

  /// Whose token it is, if anybody's: people mix up environments and apps.
  private func fault(of token: UnsafeRawBufferPointer, app: UInt16) -> TokenFault {
    let key = apps[Int(app)].key
    var fault = TokenFault.unknown
    for (index, other) in apps.enumerated() where index != Int(app) {
      guard devices.find(app: UInt16(index), token: token) != nil else { continue }
      if other.key.topic == key.topic { return .otherEnvironment }
      if other.key.environment == key.environment { fault = .otherApp }
    }
    return fault
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

  /// The first error on a connection: the response, the end, and what the resend report will say.
  private mutating func reject(
    _ frame: Frame,
    _ decision: Decision,
    _ batch: Batch,
    _ record: NotificationRecord,
    _ action: inout GatewayAction
  ) {
    let connection = batch.connection
    let number = history.nextNumber
    var record = record
    var reply: Reply?
    var ending = configuration.quirks.contains(.resetAfterError) ? GatewayAction.Ending.reset : .drain
    switch decision {
    case .reply(let scripted) where record.failed == .rule: reply = scripted
    case .end(let scripted) where record.failed == .rule: ending = scripted
    default:
      reply = batch.judge.status(for: record.failed).map { Reply(status: $0) }
      if case .device(let magic) = decision, magic.kind == .react {
        reply?.delay = magic.span
      }
      if record.failed == .tokenPresence, configuration.quirks.contains(.zeroIdOnMissingToken) {
        reply?.identifier = .zero
      }
    }
    record.status = reply?.status.rawValue ?? 0
    history.append(record)
    connection.counts.rejected += 1
    connection.failed.append(
      frame.command == 0 || !frame.hasIdentifier ? .number(number) : .identifier(frame.identifier)
    )
    action.ending = ending
    if case .end = decision, record.failed == .rule { emit(.faultFired(connection.id, ending.faultName)) }
    guard let reply, frame.command != 0 else { return }
    if reply.afterFrames > 0 || reply.delay > .zero { action.ending = .none }
    answer(reply, frame, number: number, on: connection, &action)
  }

  mutating func respond(
    _ response: ErrorResponse,
    about number: UInt64,
    on connection: ConnectionRecord,
    _ action: inout GatewayAction,
    byteCount: Int = ErrorResponse.byteCount,
    isLost: Bool = false
  ) {
    if !isLost { action.response = response }
    action.responseByteCount = min(max(0, byteCount), ErrorResponse.byteCount)
    action.splitsResponse = configuration.quirks.contains(.splitErrorPacket)
    if action.ending == .none {
      action.ending = configuration.quirks.contains(.resetAfterError) ? .reset : .drain
    }
    connection.error = (response, now)
    emit(
      .errorSent(
        connection.id,
        response,
        notification: number,
        byteCount: action.responseByteCount,
        isLost: isLost
      )
    )
  }

  /// Remembers notifications that came after the error: nobody will deliver them, and the provider must resend.
  mutating func discard(
    _ frames: UnsafeBufferPointer<Frame>,
    in batch: Batch,
    action: inout GatewayAction
  ) {
    let connection = batch.connection
    let read = clock.isVirtual ? 0 : batch.read
    connection.lastActivity = now
    for frame in frames {
      let bytes = UnsafeRawBufferPointer(rebasing: batch.buffer[frame.start..<frame.end])
      let number = history.nextNumber
      history.append(
        NotificationRecord(
          seq: history.takeSeq(),
          time: now,
          frame: history.keep(bytes),
          frameByteCount: UInt32(truncatingIfNeeded: bytes.count),
          connection: connection.id,
          read: read,
          app: connection.app,
          outcome: .discarded
        )
      )
      if connection.discarded.count < configuration.limits.resendIdentifiers {
        let reference: ProviderReference =
          frame.hasIdentifier ? .identifier(frame.identifier) : .number(number)
        connection.discarded.append(.init(reference: reference))
        apps[Int(connection.app)].resends.discarded(
          content: Self.content(of: frame, in: batch.buffer),
          identifier: frame.identifier,
          connection: connection,
          index: connection.discarded.count - 1
        )
      }
      if connection.pending != nil { countDiscard(on: connection, &action) }
    }
    connection.counts.received += UInt64(frames.count)
    connection.counts.discarded += UInt64(frames.count)
    noteDiscarded(frames.count, on: connection)
    history.trim()
  }

  /// What makes two notifications the same for the resend report: token and payload.
  private static func content(of frame: Frame, in buffer: UnsafeRawBufferPointer) -> UInt64 {
    var hash = Hash64()
    hash.combine(UnsafeRawBufferPointer(rebasing: buffer[frame.token]))
    hash.combine(UnsafeRawBufferPointer(rebasing: buffer[frame.payload]))
    return hash.finalize()
  }
}
