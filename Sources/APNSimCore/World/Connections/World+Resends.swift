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
    giveUp(givenUp)
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
    return noteMadeGood(made)
  }

  /// Notes that the latest notification makes good what another connection lost.
  /// - Returns: false where that was a request, for which no error stands.
  private mutating func noteMadeGood(_ made: ResendTracker.Discard) -> Bool {
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

  private mutating func giveUp(_ discard: ResendTracker.Discard?) {
    guard let discard else { return }
    connections.gateway(discard.connection)?.settle(discard.index, .notFollowed)
    guard let loser = connections[discard.connection]?.http2 else { return }
    loser.settle(discard.index, .notFollowed)
    let request = loser.unanswered[discard.index]
    if !request.isAccepted { apps[request.app].diligence.followsUnansweredNoMore() }
  }

  // MARK: Requests

  /// A connection has ended: answers that waited for their moment do not leave any more.
  mutating func leavePendingUnanswered(on connection: RequestRecord) {
    for pending in connection.pending { leaveUnanswered(pending, on: connection) }
    connection.dropAnswers()
  }

  /// Notes that a request gets no answer that waited for it.
  mutating func leaveUnanswered(_ pending: RequestRecord.PendingAnswer, on connection: RequestRecord) {
    leaveUnanswered(pending.answer.notification, isCounted: pending.isCounted, on: connection)
  }

  /// Notes that a request gets no answer, while there is room, and follows it until it comes again.
  /// - Parameter isCounted: false for one that came before the last reset.
  mutating func leaveUnanswered(
    _ notification: UInt64,
    isCounted: Bool = true,
    on connection: RequestRecord
  ) {
    if isCounted { tally.exchanges.leaveUnanswered() }
    guard notification > 0, connections.hasRoomForDiscards else { return }
    let index = connection.unanswered.count
    let isAccepted = wasAccepted(notification)
    connections.countDiscard()
    guard history.notifications.contains(notification) else {
      return connection.leaveUnanswered(.init(notification: notification, stream: 0, isAccepted: isAccepted))
    }
    let record = history.notifications[notification]
    let evidence = history.evidence(of: record)
    let stream = RequestEvidence(evidence)?.stream ?? 0
    connection.leaveUnanswered(.init(notification: notification, stream: stream, isAccepted: isAccepted))
    var content = NotificationContent(record, in: evidence)
    let (place, givenUp) = apps[record.app].resends.follow(
      ResendTracker.Discard(connection: connection.id, index: index),
      &content,
      Self.identifier(of: evidence)
    )
    giveUp(givenUp)
    guard let place else { return }
    connection.follow(index, place: place, app: record.app)
    if !isAccepted { apps[record.app].diligence.leftUnanswered(at: now) }
  }

  /// True for a notification of the history that reached its device or the store when it came.
  private func wasAccepted(_ notification: UInt64) -> Bool {
    guard history.notifications.contains(notification) else { return false }
    let entry = history.notifications[notification].entry
    return entry == .delivered || entry == .stored
  }

  /// Notes that the latest notification, a request, was sent: it may make good what another connection lost; or this one,
  /// where it has the same `apns-id`.
  mutating func noteResend(
    of fields: NotificationFields,
    in evidence: UnsafeRawBufferPointer,
    app: UInt16,
    on connection: RequestRecord
  ) {
    guard !apps[app].resends.isEmpty else { return }
    let record = history.notifications[history.nextNumber - 1]
    var content = NotificationContent(fields, in: evidence, isJSON: record.isJSON)
    guard apps[app].resends.awaits(token: content.token) else { return }
    let identifier = Self.identifier(of: evidence)
    let made = apps[app].resends.received(
      &content,
      identifier,
      on: connection.id,
      orOnItself: identifier != .none
    )
    if let made { _ = noteMadeGood(made) }
  }

  /// The difference of requests of the same content: a hash of the `apns-id` that the provider chose; none without one.
  private static func identifier(of evidence: UnsafeRawBufferPointer) -> NotificationIdentifier {
    guard let request = RequestEvidence(evidence)?.request else { return .none }
    let id = (request.isBroadcast ? request.requestId : request.messageId).bytes(in: evidence)
    guard !id.isEmpty else { return .none }
    var hash = Hash64()
    hash.combine(id)
    return NotificationIdentifier(rawValue: UInt32(truncatingIfNeeded: hash.finalize()) | 1)
  }

  /// Notes a request that was accepted, lost its answer, and was accepted again as the latest notification.
  private mutating func noteDuplicate(of request: RequestRecord.Unanswered, on connection: RequestRecord) {
    let number = history.nextNumber - 1
    guard request.isAccepted, wasAccepted(number) else { return }
    let again = history.notifications[number]
    connection.noteDuplicate(request.notification, most: configuration.limits.resendIdentifiers)
    // A device shows those of one collapse identifier once.
    let evidence = history.evidence(of: again)
    guard RequestEvidence(evidence)?.request.collapseId.isPresent != true else { return }
    apps[again.app].diligence.deliveredTwice(at: now)
  }

  /// Stops following what a connection that is forgotten left without an answer.
  mutating func forgetUnanswered(of connection: RequestRecord) {
    for request in connection.unanswered {
      guard case .awaited(let place) = request.fate, apps[request.app].resends.forget(place) else { continue }
      if !request.isAccepted { apps[request.app].diligence.forgetsUnanswered() }
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
