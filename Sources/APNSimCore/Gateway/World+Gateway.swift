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

  /// Judges a batch up to its first rejected notification.
  /// - Returns: the index of that one in the batch, or nil when all were accepted.
  mutating func accept(_ batch: Batch, action: inout GatewayAction) -> Int? {
    let connection = batch.connection
    let app = connection.app
    let read = clock.isVirtual ? 0 : batch.read
    let watchesResends = !apps[Int(app)].resends.isEmpty
    var accepted: UInt64 = 0
    var rejected: Int?
    for index in batch.frames.indices {
      let judged = batch.frames[index]
      let frame = judged.frame
      let bytes = UnsafeRawBufferPointer(rebasing: batch.buffer[frame.start..<frame.end])
      let number = history.nextNumber
      let position = history.keep(bytes)
      var record = NotificationRecord(
        seq: history.takeSeq(),
        time: now,
        frame: position,
        frameByteCount: UInt32(truncatingIfNeeded: bytes.count),
        connection: connection.id,
        read: read,
        app: app,
        outcome: .rejected
      )
      record.failed = judged.failed
      record.problem = judged.payload.problem
      record.payloadOffset = Int32(truncatingIfNeeded: judged.payload.offset)
      if watchesResends, judged.failed == .none {
        apps[Int(app)].resends.received(
          content: Self.content(of: frame, in: batch.buffer),
          identifier: frame.identifier
        )
      }
      if record.failed == .none { resolveToken(of: frame, in: batch.buffer, into: &record) }
      if record.failed == .none { record.failed = judged.failedContent }
      guard record.failed == .none else {
        let status = batch.judge.status(for: record.failed)
        record.status = status?.rawValue ?? 0
        history.append(record)
        reject(frame, number: number, status: status, batch, &action)
        rejected = index
        break
      }
      _ = history.takeSeq()  // The outcome is an event of its own, right behind.
      let arrival = Arrival(
        registration: record.registration,
        number: number,
        frame: bytes,
        position: position,
        expiry: batch.judge.expiry(of: frame),
        facts: judged.payload.facts,
        isReadable: judged.payload.problem == .none || Self.isReadable(judged, in: batch.buffer),
        connection: connection.id
      )
      (record.outcome, record.replaced) = settle(arrival)
      record.entry = record.outcome
      history.append(record)
      accepted += 1
      if frame.hasIdentifier { connection.lastAccepted = frame.identifier }
    }
    connection.counts.received += accepted + (rejected == nil ? 0 : 1)
    connection.counts.accepted += accepted
    connection.counts.rejected += rejected == nil ? 0 : 1
    history.trim()
    return rejected
  }

  /// Finds what the token stands for, or the fault that is status 8.
  @inline(__always)
  private mutating func resolveToken(
    of frame: Frame,
    in buffer: UnsafeRawBufferPointer,
    into record: inout NotificationRecord
  ) {
    let token = UnsafeRawBufferPointer(rebasing: buffer[frame.token])
    if let found = devices.find(app: record.app, token: token),
      configuration.tokens != .issued || devices.registrations[found].flags.contains(.issued)
    {
      record.registration = found
      return
    }
    switch meet(token, app: record.app) {
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
    app: UInt16
  ) -> Result<UInt32, UnknownToken> {
    var flags: Registration.Flags = .installed
    switch configuration.tokens {
    case .any: break
    case .known: return .failure(UnknownToken(reason: fault(of: token, app: app)))
    case .issued:
      guard issuer.open(Array(token), app: apps[Int(app)].key) != nil else {
        let fault = fault(of: token, app: app)
        return .failure(UnknownToken(reason: fault == .unknown ? .notIssued : fault))
      }
      flags.insert(.issued)
    }
    guard
      devices.liveDevices < configuration.limits.devices,
      let device = devices.addDevice(name: nil, isOnline: true),
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
    number: UInt64,
    status: StatusCode?,
    _ batch: Batch,
    _ action: inout GatewayAction
  ) {
    let connection = batch.connection
    let canAnswer = frame.command != 0 && status != nil
    connection.failed.append(
      frame.command == 0 || !frame.hasIdentifier ? .number(number) : .identifier(frame.identifier)
    )
    action.ending = configuration.quirks.contains(.resetAfterError) ? .reset : .drain
    guard canAnswer, let status else { return }
    var identifier = frame.identifier
    if status == .missingDeviceToken, configuration.quirks.contains(.zeroIdOnMissingToken) {
      identifier = .none
    }
    respond(
      ErrorResponse(status: status, identifier: identifier),
      about: number,
      on: connection,
      &action
    )
  }

  mutating func respond(
    _ response: ErrorResponse,
    about number: UInt64,
    on connection: ConnectionRecord,
    _ action: inout GatewayAction
  ) {
    action.response = response
    action.splitsResponse = configuration.quirks.contains(.splitErrorPacket)
    connection.error = (response, now)
    emit(.errorSent(connection.id, response, notification: number))
  }

  /// Remembers notifications that came after the error: nobody will deliver them, and the provider must resend.
  mutating func discard(_ frames: UnsafeBufferPointer<Frame>, in batch: Batch) {
    let connection = batch.connection
    let read = clock.isVirtual ? 0 : batch.read
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
    }
    connection.counts.received += UInt64(frames.count)
    connection.counts.discarded += UInt64(frames.count)
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
