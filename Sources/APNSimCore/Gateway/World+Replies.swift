internal import APNSimWire

/// Error responses that leave later than at once: after so many frames, after so much time.
extension World {
  /// An error response that waits to be sent.
  struct PendingReply {
    var response: ErrorResponse
    var notification: UInt64
    var reply: Reply
    var framesLeft: Int

    /// What will be written of it.
    var bytes: [UInt8] { reply.isLost ? [] : Array(response.bytes.prefix(max(0, reply.byteCount))) }
  }

  /// Answers a notification as a reply says: now, or when its conditions are met.
  mutating func answer(
    _ reply: Reply,
    _ frame: Frame,
    number: UInt64,
    on connection: ConnectionRecord,
    _ action: inout GatewayAction
  ) {
    let right = reply.status == .shutdown ? connection.lastAccepted : frame.identifier
    let identifier: NotificationIdentifier =
      switch reply.identifier {
      case .right: right
      case .wrong: NotificationIdentifier(rawValue: ~right.rawValue)
      case .zero: .none
      case .exactly(let chosen): chosen
      }
    let pending = PendingReply(
      response: ErrorResponse(status: reply.status, identifier: identifier),
      notification: number,
      reply: reply,
      framesLeft: reply.afterFrames
    )
    guard reply.afterFrames <= 0 else { return connection.pending = pending }
    release(pending, on: connection, &action)
  }

  /// One more frame was read and discarded: a reply that waited for no more than that one goes out.
  mutating func countDiscard(on connection: ConnectionRecord, _ action: inout GatewayAction) {
    guard var pending = connection.pending, pending.framesLeft > 0 else { return }
    pending.framesLeft -= 1
    connection.pending = pending
    guard pending.framesLeft == 0 else { return }
    release(pending, on: connection, &action)
  }

  /// The provider ends its side, or writes what has no frames: no further one will come, so the reply does not wait
  /// for it.
  mutating func releaseAtEnd(of connection: ConnectionRecord, _ action: inout GatewayAction) {
    guard var pending = connection.pending, pending.framesLeft > 0 else { return }
    pending.framesLeft = 0
    release(pending, on: connection, &action)
  }

  /// Nothing is waited for any more.
  mutating func releaseNow(on connection: ConnectionRecord, _ action: inout GatewayAction) {
    guard let pending = connection.pending else { return }
    connection.pending = nil
    send(pending, on: connection, &action)
  }

  private mutating func release(
    _ pending: PendingReply,
    on connection: ConnectionRecord,
    _ action: inout GatewayAction
  ) {
    guard pending.reply.delay > .zero else {
      connection.pending = nil
      send(pending, on: connection, &action)
      return
    }
    connection.pending = pending
    schedule(.sendReply(connection.id), at: now + pending.reply.delay)
  }

  /// A delayed reply is due.
  mutating func sendReply(_ id: ConnectionID) {
    guard let connection = connections[id], connection.isOpen, let pending = connection.pending else {
      return
    }
    connection.pending = nil
    var action = GatewayAction.none
    send(pending, on: connection, &action)
    effects.perform(action, on: id)
  }

  private mutating func send(
    _ pending: PendingReply,
    on connection: ConnectionRecord,
    _ action: inout GatewayAction
  ) {
    respond(
      pending.response,
      about: pending.notification,
      on: connection,
      &action,
      byteCount: pending.reply.byteCount,
      isLost: pending.reply.isLost
    )
    if pending.reply.isSplit { action.splitsResponse = true }
    if pending.reply.resets { action.ending = .reset }
  }
}
