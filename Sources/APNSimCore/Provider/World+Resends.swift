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
    giveUp(givenUp)
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
      )
    else { return false }
    return noteMadeGood(made)
  }

  /// Notes that the latest notification makes good what another connection lost.
  /// - Returns: false where that was a request, for which no error stands.
  private mutating func noteMadeGood(_ made: ResendTracker.Discard) -> Bool {
    if let loser = connections[made.connection]?.http2 {
      loser.settle(made.index, .resent)
      let reference = ProviderReference.number(loser.unanswered[made.index].notification)
      emit(.resent(loser.id, reference, notification: history.nextNumber - 1))
    }
    guard let loser = connections.gateway(made.connection) else { return false }
    loser.settle(made.index, .resent)
    let reference = loser.discarded[made.index].reference
    emit(.resent(loser.id, reference, notification: history.nextNumber - 1))
    return true
  }

  private func giveUp(_ discard: ResendTracker.Discard?) {
    guard let discard else { return }
    connections.gateway(discard.connection)?.settle(discard.index, .notFollowed)
    connections[discard.connection]?.http2?.settle(discard.index, .notFollowed)
  }

  // MARK: Requests

  /// A connection has ended: what it left without an answer is followed until it comes again.
  mutating func followUnanswered(on connection: RequestRecord) {
    for pending in connection.pending { leaveUnanswered(pending, on: connection) }
    connection.dropAnswers()
    for (index, request) in connection.unanswered.enumerated() {
      guard history.notifications.contains(request.notification) else { continue }
      let record = history.notifications[request.notification]
      let evidence = history.evidence(of: record)
      let (place, givenUp) = apps[record.app].resends.follow(
        ResendTracker.Discard(connection: connection.id, index: index),
        token: record.fields.tokenHash(in: evidence),
        content: record.fields.content(in: evidence),
        identifier: .none
      )
      giveUp(givenUp)
      if let place { connection.follow(index, place: place, app: record.app) }
    }
  }

  /// Notes that a request gets no answer that waited for it.
  mutating func leaveUnanswered(_ pending: RequestRecord.PendingAnswer, on connection: RequestRecord) {
    leaveUnanswered(pending.answer.notification, isCounted: pending.isCounted, on: connection)
  }

  /// Notes that a request gets no answer, while there is room.
  /// - Parameter isCounted: false for one that came before the last reset.
  mutating func leaveUnanswered(
    _ notification: UInt64,
    isCounted: Bool = true,
    on connection: RequestRecord
  ) {
    if isCounted { tally.exchanges.leaveUnanswered() }
    guard notification > 0, connections.hasRoomForDiscards else { return }
    connection.leaveUnanswered(notification)
    connections.countDiscard()
  }

  /// Notes that the latest notification, a request, was sent: it may make good what another connection lost.
  mutating func noteResend(
    of fields: NotificationFields,
    in evidence: UnsafeRawBufferPointer,
    app: UInt16,
    on connection: RequestRecord
  ) {
    guard !apps[app].resends.isEmpty, apps[app].resends.awaits(token: fields.tokenHash(in: evidence)),
      let made = apps[app].resends.received(
        content: fields.content(in: evidence),
        identifier: .none,
        on: connection.id
      )
    else { return }
    _ = noteMadeGood(made)
  }

  /// Stops following what a connection that is forgotten left without an answer.
  mutating func forgetUnanswered(of connection: RequestRecord) {
    for request in connection.unanswered {
      guard case .awaited(let place) = request.fate else { continue }
      _ = apps[request.app].resends.forget(place)
    }
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
