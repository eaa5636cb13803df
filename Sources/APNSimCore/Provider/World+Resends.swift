import APNSimWire

/// What an error cost a provider, and what it sends again.
extension World {
  /// True if anything waits to come again that was discarded on another connection to the app.
  func isWaitingForResends(app: UInt16, besides connection: GatewayRecord) -> Bool {
    apps[app].resends.count > connection.awaited
  }

  /// Follows the latest notification that a connection discarded until it comes again.
  /// - Parameter start: where its bytes begin in the buffer.
  /// - Returns: how many are not followed any more for it, or cannot be.
  mutating func followDiscard(
    _ fields: NotificationFields,
    in buffer: UnsafeRawBufferPointer,
    from start: Int,
    app: UInt16,
    on connection: GatewayRecord
  ) -> Int {
    let index = connection.discarded.count - 1
    let discard = ResendTracker.Discard(connection: connection.id, index: index)
    let (place, givenUp) = apps[app].resends.follow(
      discard,
      token: fields.tokenHash(in: buffer, from: start),
      content: fields.content(in: buffer, from: start),
      identifier: fields.identifier
    )
    if let givenUp { connections.gateway(givenUp.connection)?.settle(givenUp.index, .notFollowed) }
    if let place { connection.awaitDiscard(index, place: place) }
    return (givenUp == nil ? 0 : 1) + (place == nil ? 1 : 0)
  }

  /// Notes that the latest notification was written, whether it was accepted or not. What its payload means is looked at
  /// only where something waits for its token.
  /// - Parameter start: where its bytes begin in the buffer.
  /// - Returns: true if that makes good what another connection lost.
  mutating func noteResend(
    of fields: NotificationFields,
    in buffer: UnsafeRawBufferPointer,
    from start: Int,
    app: UInt16,
    on connection: GatewayRecord
  ) -> Bool {
    guard isWaitingForResends(app: app, besides: connection),
      apps[app].resends.awaits(token: fields.tokenHash(in: buffer, from: start)),
      let made = apps[app].resends.received(
        content: fields.content(in: buffer, from: start),
        identifier: fields.identifier,
        on: connection.id
      ),
      let loser = connections.gateway(made.connection)
    else { return false }
    loser.settle(made.index, .resent)
    let reference = loser.discarded[made.index].reference
    emit(.resent(loser.id, reference, notification: history.nextNumber - 1))
    return true
  }

  /// Stops following the discards of a connection that is forgotten: nobody will ask for its report.
  mutating func forgetDiscards(of record: GatewayRecord) {
    var forgotten = 0
    for discard in record.discarded {
      if case .awaited(let place) = discard.fate, apps[record.app].resends.forget(place) { forgotten += 1 }
    }
    apps[record.app].diligence.forgets(forgotten)
  }
}
