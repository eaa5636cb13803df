import APNSimWire

/// Error responses that leave later than at once: after so many frames, after so much time.
extension World {
  /// Answers a notification as a reply says: now, or when its conditions are met.
  /// - Parameter ending: how the connection ends where the answer leaves at once; as usual where nil.
  mutating func answer(
    _ reply: Reply,
    _ fields: NotificationFields,
    number: UInt64,
    on connection: GatewayRecord,
    ending: ConnectionEnding? = nil
  ) -> GatewayAction {
    let right = reply.status == .shutdown ? connection.lastAccepted : fields.identifier
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
      framesLeft: max(0, reply.afterFrames)
    )
    guard pending.framesLeft == 0 else {
      connection.replies.put(pending)
      return .none
    }
    return release(pending, on: connection, ending: ending)
  }

  /// One more frame was read and discarded: a reply that waited for no more than that one goes out.
  mutating func countDiscard(on connection: GatewayRecord) -> GatewayAction {
    guard var pending = connection.replies.first, pending.framesLeft > 0 else { return .none }
    pending.framesLeft -= 1
    connection.replies.put(pending)
    return pending.framesLeft == 0 ? release(pending, on: connection) : .none
  }

  /// The provider ends its side, or writes what has no frames: no further one will come, so the reply does not wait
  /// for it.
  mutating func releaseAtEnd(of connection: GatewayRecord) -> GatewayAction {
    guard var pending = connection.replies.first, pending.framesLeft > 0 else { return .none }
    pending.framesLeft = 0
    return release(pending, on: connection)
  }

  /// Sends the reply that waits, whatever it waits for, and ends the connection in order.
  mutating func releaseNow(on connection: GatewayRecord) -> GatewayAction {
    guard let pending = connection.replies.takeFirst() else { return .none }
    return send(pending, on: connection, ending: .drain)
  }

  private mutating func release(
    _ pending: PendingReply,
    on connection: GatewayRecord,
    ending: ConnectionEnding? = nil
  ) -> GatewayAction {
    guard pending.reply.delay > .zero else {
      connection.replies.take(pending.exchange)
      return send(pending, on: connection, ending: ending)
    }
    connection.replies.put(pending)
    schedule(.sendReply(connection.id, exchange: pending.exchange), at: now + pending.reply.delay)
    return .none
  }

  /// A delayed reply is due.
  mutating func sendReply(_ id: ConnectionID, _ exchange: UInt32) {
    guard let connection = connections.gateway(id), connection.isOpen,
      let pending = connection.replies.take(exchange)
    else { return }
    effects.perform(send(pending, on: connection), on: id)
  }

  private mutating func send(
    _ pending: PendingReply,
    on connection: GatewayRecord,
    ending: ConnectionEnding? = nil
  ) -> GatewayAction {
    var action = respond(
      pending.response,
      about: pending.notification,
      on: connection,
      byteCount: pending.reply.packet.byteCount,
      isLost: pending.reply.isLost,
      ending: pending.reply.resets ? .reset : ending
    )
    if pending.reply.packet.cut != .none { action.cut = pending.reply.packet.cut }
    return action
  }
}
