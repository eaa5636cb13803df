import APNSimWire

/// The first error on a connection, and everything written after it.
extension World {
  /// Answers the notification that ends a connection, as this interface does.
  @inline(never)
  mutating func end(
    with ruling: Ruling,
    _ batch: Batch,
    _ record: inout NotificationRecord
  ) -> GatewayAction {
    guard case .refused(let check) = ruling.fate else { return shutDown(by: ruling.decision, batch, &record) }
    switch ruling.decision {
    case .reply(let reply) where check == .rule: return reject(reply, ending: usualEnding, batch, &record)
    case .end(let ending): return reject(nil, ending: ending, batch, &record)
    default: break
    }
    var reply = Reply(status: BinaryInterface.status(of: check, edition: batch.judge.edition))
    switch ruling.decision {
    case .device(let magic) where magic.kind == .react: reply.delay = magic.span
    case .request(let fault): (reply.delay, reply.packet.cut) = (fault.ofAnswer.delay, fault.ofAnswer.cut)
    default: break
    }
    if check == .tokenPresence, configuration.quirks.contains(.zeroIdOnMissingToken) {
      reply.identifier = .zero
    }
    return reject(reply, ending: usualEnding, batch, &record)
  }

  /// A notification was accepted, and the service shuts down with an answer that names it.
  private mutating func shutDown(
    by decision: Decision,
    _ batch: Batch,
    _ record: inout NotificationRecord
  ) -> GatewayAction {
    guard case .reply(let reply) = decision else { return .none }
    let number = history.nextNumber
    keepAccepted(&record, batch.connection)
    noteStanding(on: batch.connection)
    return answer(reply, record.fields, number: number, on: batch.connection, ending: .drain)
  }

  /// The first error on a connection: the response, the end, and what the resend report will say.
  /// - Parameters:
  ///   - reply: the answer; nil for a connection that ends without one, as scripted.
  ///   - ending: the end where nothing is said.
  private mutating func reject(
    _ reply: Reply?,
    ending: ConnectionEnding,
    _ batch: Batch,
    _ record: inout NotificationRecord
  ) -> GatewayAction {
    let connection = batch.connection
    let (command, fields) = (record.interface.command ?? 0, record.fields)
    let number = history.nextNumber
    record.status = reply?.status.rawValue ?? 0
    keep(record)
    connection.counts.rejected += 1
    connection.failed.append(
      command == 0 || !fields.hasIdentifier ? .number(number) : .identifier(fields.identifier)
    )
    noteStanding(on: connection)
    if reply == nil { emit(.faultFired(connection.id, ending.faultName)) }
    guard let reply,
      BinaryInterface.silence(about: record.failed, command: command, batch.judge.quirks) == nil
    else {
      if ending != .stopReading { connection.conclude() }
      var action = GatewayAction.none
      action.ending = ending
      return action
    }
    return answer(reply, fields, number: number, on: connection)
  }

  /// The end of a connection after an error, where nothing says otherwise.
  var usualEnding: ConnectionEnding {
    configuration.quirks.contains(.resetAfterError) ? .reset : .drain
  }

  /// Sends an error response, after which the connection is over.
  /// - Parameter ending: how the connection ends; as usual where nil.
  mutating func respond(
    _ response: ErrorResponse,
    about number: UInt64,
    on connection: GatewayRecord,
    byteCount: Int = ErrorResponse.byteCount,
    isLost: Bool = false,
    ending: ConnectionEnding? = nil
  ) -> GatewayAction {
    var action = GatewayAction.none
    if !isLost { action.response = response }
    action.responseByteCount = min(max(0, byteCount), ErrorResponse.byteCount)
    if configuration.quirks.contains(.splitErrorPacket) { action.cut = .afterFirstByte }
    action.ending = ending ?? usualEnding
    action.gluesEnding = configuration.quirks.contains(.gluedClose)
    connection.error = SentError(response: response, at: now)
    connection.conclude()
    emit(
      .errorSent(
        connection.id,
        response,
        notification: number,
        byteCount: action.responseByteCount,
        isLost: isLost
      )
    )
    return action
  }

  /// Remembers notifications that came after the error: nobody will deliver them, and the provider must resend.
  mutating func discard(_ batch: Batch) -> GatewayAction {
    let connection = batch.connection
    var action = GatewayAction.none
    guard connection.isOpen else { return action }
    let read = clock.isVirtual ? 0 : batch.read
    let app = connection.app
    connection.lastActivity = now
    let first = history.nextNumber
    var (resent, notFollowed) = (0, 0)
    for index in 0..<batch.count {
      let submission = batch.submissions + index
      submission.pointee.app = app
      let (fields, start) = (submission.pointee.fields, submission.pointee.start)
      let number = history.nextNumber
      let record = beginRecord(
        of: submission,
        in: batch.buffer,
        on: batch.connection.id,
        read: read,
        .discarded
      )
      noteOwner(of: submission.pointee, in: batch.buffer, into: &record.pointee)
      keep(record.pointee)
      let limits = configuration.limits
      let isFollowed =
        connection.discarded.count < limits.resendIdentifiers && connections.hasRoomForDiscards
      if !isFollowed { notFollowed += 1 }
      // A flood that nobody follows and nobody waits for is not looked into.
      if isFollowed || isWaitingForResends(app: app, besides: connection) {
        // A notification that makes good an earlier discard is read as the gateway does, and no further.
        let mode = FrameDecoder.Mode.judging(batch.judge.limits)
        let judged = FrameDecoder.next(in: batch.buffer, from: start, mode: mode)?.fields ?? fields
        var content = NotificationContent(judged, in: batch.buffer, from: start)
        if noteResend(of: &content, fields.identifier, app: app, on: connection) { resent += 1 }
        if isFollowed {
          connection.discard(fields.hasIdentifier ? .identifier(fields.identifier) : .number(number))
          connections.countDiscard()
          notFollowed += followDiscard(&content, fields.identifier, app: app, on: connection)
        }
      }
      if !connection.replies.isEmpty { action.follow(countDiscard(on: connection)) }
    }
    connection.counts.received += UInt64(batch.count)
    connection.counts.discarded += UInt64(batch.count)
    noteDiscarded(batch.count, resent: resent, notFollowed: notFollowed, on: connection)
    noteArrivals(from: first)
    history.trim()
    return action
  }
}
