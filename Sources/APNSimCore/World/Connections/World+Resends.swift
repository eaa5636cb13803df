import APNSimWire

/// The cost of an error to a provider, and what it sends again.
extension World {
  /// True if anything waits to come again that was discarded on another connection to the app.
  func isWaitingForResends(app: UInt16, besides connection: GatewayRecord) -> Bool {
    apps[app].resends.count > connection.awaited
  }

  /// Follows the latest notification that a connection discarded until it comes again.
  /// - Returns: how many are not followed any more for it, or cannot be.
  mutating func followDiscard(
    _ content: inout NotificationContent,
    _ identifier: NotificationIdentifier,
    app: UInt16,
    on connection: GatewayRecord
  ) -> Int {
    let index = connection.discarded.count - 1
    let discard = ResendTracker.Discard(connection: connection.id, index: index)
    let (place, givenUp) = apps[app].resends.follow(discard, &content, identifier)
    giveUp(givenUp, app: app)
    if let place { connection.awaitDiscard(index, place: place) }
    return (givenUp == nil ? 0 : 1) + (place == nil ? 1 : 0)
  }

  /// Notes that the latest notification was written, whether it was accepted or not. What its payload means is looked at
  /// only where something waits for its token.
  /// - Returns: true if that makes good what another connection lost.
  mutating func noteResend(
    of content: inout NotificationContent,
    _ identifier: NotificationIdentifier,
    app: UInt16,
    on connection: GatewayRecord
  ) -> Bool {
    guard isWaitingForResends(app: app, besides: connection),
      let made = apps[app].resends.received(&content, identifier, on: connection.id)
    else { return false }
    let isOfError = noteMadeGood(made)
    _ = noteLaterMadeGood(app: app)
    return isOfError
  }

  /// Notes that the latest notification makes good the later losses of the same push as well.
  /// - Returns: their connections.
  mutating func noteLaterMadeGood(app: UInt16) -> [ConnectionID] {
    let all = apps[app].resends.takeLater()
    for later in all {
      guard let loser = connections[later.connection]?.http2 else { continue }
      loser.settle(later.index, .resent)
      let lost = ProviderReference.number(loser.unanswered[later.index].notification)
      emit(.resent(loser.id, lost, notification: history.nextNumber - 1))
    }
    return all.map(\.connection)
  }

  /// Notes that the latest notification makes good what another connection lost.
  /// - Returns: false where that was a request, for which no error stands.
  mutating func noteMadeGood(_ made: ResendTracker.Discard) -> Bool {
    let number = history.nextNumber - 1
    switch connections.lookUp(made.connection) {
    case .gateway(let loser)?:
      loser.settle(made.index, .resent)
      emit(.resent(loser.id, loser.discarded[made.index].reference, notification: number))
      return true
    case .http2(let loser)?:
      loser.settle(made.index, .resent)
      let request = loser.unanswered[made.index]
      if !request.isAccepted { apps[request.app].diligence.unansweredSentAgain() }
      emit(.resent(loser.id, .number(request.notification), notification: number))
      noteDuplicate(of: request, on: loser)
      return false
    case .feedback?, nil: return false
    }
  }

  /// Notes that the app's resend tracker does not follow a discard any more.
  mutating func giveUp(_ discard: ResendTracker.Discard?, app: UInt16) {
    guard let discard else { return }
    for later in apps[app].resends.takeLater() {
      connections[later.connection]?.http2?.settle(later.index, .notFollowed)
    }
    connections.gateway(discard.connection)?.settle(discard.index, .notFollowed)
    guard let loser = connections[discard.connection]?.http2 else { return }
    loser.settle(discard.index, .notFollowed)
    let request = loser.unanswered[discard.index]
    if !request.isAccepted { apps[request.app].diligence.followsUnansweredNoMore() }
  }

  /// Stops following what a connection that is forgotten left without an answer.
  mutating func forgetUnanswered(of connection: RequestRecord) {
    for (index, request) in connection.unanswered.enumerated() {
      guard case .awaited(let place) = request.fate else { continue }
      let discard = ResendTracker.Discard(connection: connection.id, index: index)
      let left = apps[request.app].resends.forget(discard, at: place)
      if left == 0, !request.isAccepted { apps[request.app].diligence.forgetsUnanswered() }
    }
  }

  /// Stops following the discards of a connection that is forgotten: nobody will ask for its report.
  mutating func forgetDiscards(of record: GatewayRecord) {
    var forgotten = 0
    for (index, discard) in record.discarded.enumerated() {
      guard case .awaited(let place) = discard.fate else { continue }
      let waiting = ResendTracker.Discard(connection: record.id, index: index)
      if apps[record.app].resends.forget(waiting, at: place) != nil { forgotten += 1 }
    }
    apps[record.app].diligence.forgets(forgotten)
  }
}
