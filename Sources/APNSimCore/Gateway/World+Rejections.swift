internal import APNSimWire

/// The first error on a connection, and everything written behind it.
extension World {
  /// The first error on a connection: the response, the end, and what the resend report will say.
  mutating func reject(
    _ frame: Frame,
    _ decision: Decision,
    _ batch: Batch,
    _ record: inout NotificationRecord,
    _ action: inout GatewayAction
  ) {
    let connection = batch.connection
    let number = history.nextNumber
    var reply: Reply?
    // The simple format has no error responses; a byte that is not understood is of no format.
    var isSilent = frame.command == 0 && record.failed != .command
    var ending = configuration.quirks.contains(.resetAfterError) ? GatewayAction.Ending.reset : .drain
    switch decision {
    case .reply(let scripted) where record.failed == .rule: reply = scripted
    case .end(let scripted) where record.failed == .rule: ending = scripted
    default:
      reply = Reply(status: batch.judge.status(for: record.failed))
      if batch.judge.quirks.silence(record.failed) { isSilent = true }
      if case .device(let magic) = decision, magic.kind == .react {
        reply?.delay = magic.span
      }
      if record.failed == .tokenPresence, configuration.quirks.contains(.zeroIdOnMissingToken) {
        reply?.identifier = .zero
      }
    }
    record.status = reply?.status.rawValue ?? 0
    noteOwner(of: frame, in: batch.buffer, into: &record)
    keep(record)
    connection.counts.rejected += 1
    connection.failed.append(
      frame.command == 0 || !frame.hasIdentifier ? .number(number) : .identifier(frame.identifier)
    )
    action.ending = ending
    if case .end = decision, record.failed == .rule { emit(.faultFired(connection.id, ending.faultName)) }
    guard let reply, !isSilent else {
      connection.isOver = ending != .stopReading
      return
    }
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
    connection.isOver = true
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
    guard connection.isOpen else { return }
    let read = clock.isVirtual ? 0 : batch.read
    connection.lastActivity = now
    let first = history.nextNumber
    var (resent, notFollowed) = (0, 0)
    for frame in frames {
      let number = history.nextNumber
      let record = beginRecord(of: frame, in: batch, read: read, .discarded)
      noteOwner(of: frame, in: batch.buffer, into: &record.pointee)
      keep(record.pointee)
      let limits = configuration.limits
      let isFollowed =
        connection.discarded.count < limits.resendIdentifiers && rememberedDiscards < limits.discards
      // A flood that nobody follows and nobody waits for is not looked into.
      var content: UInt64 = 0
      if isFollowed || apps[Int(connection.app)].resends.isWaiting(besides: connection) {
        // What makes good an earlier discard is read by the gateway, and no further than it reads.
        let judged =
          FrameDecoder.next(in: batch.buffer, from: frame.start, mode: .judging(batch.judge.limits)) ?? frame
        content = judged.content(in: batch.buffer)
        if noteResend(of: content, frame.identifier, on: connection) { resent += 1 }
      }
      if isFollowed {
        let reference: ProviderReference =
          frame.hasIdentifier ? .identifier(frame.identifier) : .number(number)
        connection.discarded.append(.init(reference: reference))
        rememberedDiscards += 1
        notFollowed += apps[Int(connection.app)].resends.follow(
          content: content,
          identifier: frame.identifier,
          connection: connection,
          index: connection.discarded.count - 1
        )
      } else {
        notFollowed += 1
      }
      if connection.pending != nil { countDiscard(on: connection, &action) }
    }
    connection.counts.received += UInt64(frames.count)
    connection.counts.discarded += UInt64(frames.count)
    noteDiscarded(frames.count, resent: resent, notFollowed: notFollowed, on: connection)
    noteArrivals(from: first)
    history.trim()
  }

  /// The latest notification was written, whether it was accepted or not: says whether that makes good what another
  /// connection lost.
  mutating func noteResend(
    of content: UInt64,
    _ identifier: NotificationIdentifier,
    on connection: ConnectionRecord
  ) -> Bool {
    let made = apps[Int(connection.app)].resends
      .received(content: content, identifier: identifier, on: connection)
    guard let made else { return false }
    emit(.resent(made.connection, made.reference, notification: history.nextNumber - 1))
    return true
  }
}
