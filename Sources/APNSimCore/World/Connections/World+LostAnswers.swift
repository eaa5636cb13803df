import APNSimWire

/// Requests that got no answer, and what comes of them again.
///
/// A push is the same by the `apns-id` that its provider chose, else by token and meaning of the payload. What is lost again
/// waits with its first loss; an answer that settles it settles all of them.
extension World {
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
  /// - Parameters:
  ///   - isCounted: false for one that came before the last reset.
  ///   - read: the first notification of its read, where that is just being taken.
  mutating func leaveUnanswered(
    _ notification: UInt64,
    isCounted: Bool = true,
    since read: UInt64? = nil,
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
    let discard = ResendTracker.Discard(connection: connection.id, index: index)
    var content = NotificationContent(record, in: evidence)
    if settlesByAnswer {
      let attempt = attempt(content, in: evidence, since: read ?? notification, on: connection)
      follow(discard, &content, attempt, isAccepted: isAccepted, app: record.app, on: connection)
    } else {
      follow(
        discard,
        &content,
        Self.identifier(of: evidence),
        isAccepted: isAccepted,
        app: record.app,
        on: connection
      )
    }
  }

  /// Follows a request that got no answer: with its first loss where it had been lost before and reached nobody now either.
  private mutating func follow(
    _ discard: ResendTracker.Discard,
    _ content: inout NotificationContent,
    _ attempt: ResendTracker.Attempt,
    isAccepted: Bool,
    app: UInt16,
    on connection: RequestRecord
  ) {
    if !isAccepted, let place = apps[app].resends.loseAgain(discard, &content, attempt) {
      return connection.follow(discard.index, place: place, app: app)
    }
    follow(discard, &content, .none, name: attempt.name, isAccepted: isAccepted, app: app, on: connection)
  }

  private mutating func follow(
    _ discard: ResendTracker.Discard,
    _ content: inout NotificationContent,
    _ identifier: NotificationIdentifier,
    name: UInt64? = nil,
    isAccepted: Bool,
    app: UInt16,
    on connection: RequestRecord
  ) {
    let (place, givenUp) = apps[app].resends.follow(discard, &content, identifier, name: name)
    giveUp(givenUp, app: app)
    guard let place else { return }
    connection.follow(discard.index, place: place, app: app)
    if !isAccepted { apps[app].diligence.leftUnanswered(at: now) }
  }

  /// The stream of a request without an answer was reset, by either side: its provider may send it again on it.
  mutating func noteReset(of stream: UInt32, on connection: RequestRecord) {
    guard settlesByAnswer, let index = connection.unanswered.lastIndex(where: { $0.stream == stream }) else {
      return
    }
    let request = connection.unanswered[index]
    guard case .awaited(let place) = request.fate else { return }
    let discard = ResendTracker.Discard(connection: connection.id, index: index)
    apps[request.app].resends.noteReset(of: discard, at: place, number: request.notification)
  }

  // MARK: Coming again

  /// Notes that the latest notification, a request, was sent: its answer may settle what was lost before, or it is accepted
  /// once more.
  /// - Parameter read: the first notification of its read.
  mutating func noteRepetition(
    of submission: UnsafePointer<Submission>,
    in evidence: UnsafeRawBufferPointer,
    app: UInt16,
    since read: UInt64,
    on connection: RequestRecord
  ) {
    guard !apps[app].resends.isEmpty || apps[app].duplicates.isWatching else { return }
    let record = history.notifications[history.nextNumber - 1]
    var content = NotificationContent(submission.pointee.fields, in: evidence, isJSON: record.isJSON)
    guard settlesByAnswer else { return noteResend(of: &content, in: evidence, app: app, on: connection) }
    guard record.isSettled else { return }
    let attempt = attempt(content, in: evidence, since: read, on: connection)
    var losers: [ConnectionID] = []
    if let made = apps[app].resends.settle(&content, attempt) {
      _ = noteMadeGood(made)
      losers = [made.connection] + noteLaterMadeGood(app: app)
    }
    if apps[app].duplicates.isWatching, wasAccepted(history.nextNumber - 1) {
      noteStandingAgain(&content, attempt.name, besides: losers, app: app)
    }
  }

  /// As version 0.2 had it: whatever comes again makes good what another connection lost; or this one, where it has the same
  /// `apns-id`.
  private mutating func noteResend(
    of content: inout NotificationContent,
    in evidence: UnsafeRawBufferPointer,
    app: UInt16,
    on connection: RequestRecord
  ) {
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

  /// True where a push that was lost is settled by the answer to a later attempt, false where by its coming again, as in
  /// version 0.2.
  var settlesByAnswer: Bool { configuration.rules.have(.resentRequest) }

  private func attempt(
    _ content: borrowing NotificationContent,
    in evidence: UnsafeRawBufferPointer,
    since read: UInt64,
    on connection: RequestRecord
  ) -> ResendTracker.Attempt {
    let name = content.named(Self.name(in: evidence))
    return ResendTracker.Attempt(connection: connection.id, read: read, name: name)
  }

  /// The `apns-id` that the provider chose; nil without one.
  private static func name(in evidence: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let name = RequestEvidence(evidence)?.texts.identifier.bytes(in: evidence) else { return nil }
    return name.isEmpty ? nil : name
  }

  /// The difference of requests of the same content: a hash of the `apns-id` that the provider chose; none without one.
  private static func identifier(of evidence: UnsafeRawBufferPointer) -> NotificationIdentifier {
    guard let name = name(in: evidence) else { return .none }
    var hash = Hash64()
    hash.combine(name)
    return NotificationIdentifier(rawValue: UInt32(truncatingIfNeeded: hash.finalize()) | 1)
  }

  // MARK: Accepted twice

  /// True for a notification of the history that reached its device or the store when it came.
  func wasAccepted(_ notification: UInt64) -> Bool {
    guard history.notifications.contains(notification) else { return false }
    let entry = history.notifications[notification].entry
    return entry == .delivered || entry == .stored
  }

  /// A connection has ended so that its provider cannot know of all answers: what it had accepted stands.
  mutating func noteStanding(on connection: RequestRecord, _ reason: ClosingReason) {
    guard settlesByAnswer, reason.losesAnswers, connection.counts.accepted > 0 else { return }
    var left = connection.counts.accepted
    var number = history.notifications.end
    let first =
      number - min(number - history.notifications.first, 4 * UInt64(DuplicateWatch.mostNotifications))
    while left > 0, number > first {
      number -= 1
      let record = history.notifications[number]
      guard record.connection == connection.id, record.entry.isAccepted else { continue }
      left -= 1
      guard wasAccepted(number), !connection.unansweredNumbers.contains(number) else { continue }
      let evidence = history.evidence(of: record)
      let content = NotificationContent(record, in: evidence)
      let key = content.named(Self.name(in: evidence)) ?? content.token
      apps[record.app].duplicates.mayComeAgain(.init(number: number, connection: connection.id), key: key)
    }
  }

  /// Notes that the latest notification was accepted, and that one like it stands on a connection that has ended.
  /// - Parameters:
  ///   - name: the hash of its name, by which alone it is the same; nil without one.
  ///   - losers: the connections that lost what it makes good: what stands there is another one.
  private mutating func noteStandingAgain(
    _ content: inout NotificationContent,
    _ name: UInt64?,
    besides losers: [ConnectionID],
    app: UInt16
  ) {
    let keys = apps[app].duplicates.keys(from: name ?? content.token)
    for key in keys {
      guard let standing = apps[app].duplicates.standing(under: key), !losers.contains(standing.connection),
        name != nil || isAgain(&content, standing, key, app: app)
      else { continue }
      apps[app].duplicates.take(key, of: keys)
      guard let connection = connections[standing.connection]?.http2 else { return }
      return noteDuplicate(of: standing.number, on: connection)
    }
    apps[app].duplicates.noteOther()
  }

  /// Notes a request that was accepted, lost its answer, and was accepted again as the latest notification.
  mutating func noteDuplicate(of request: RequestRecord.Unanswered, on connection: RequestRecord) {
    guard request.isAccepted, wasAccepted(history.nextNumber - 1) else { return }
    noteDuplicate(of: request.notification, on: connection)
  }

  private mutating func noteDuplicate(of notification: UInt64, on connection: RequestRecord) {
    let again = history.notifications[history.nextNumber - 1]
    connection.noteDuplicate(notification, most: configuration.limits.resendIdentifiers)
    // A device shows those of one collapse identifier once.
    let evidence = history.evidence(of: again)
    guard RequestEvidence(evidence)?.texts.collapseId.isPresent != true else { return }
    apps[again.app].diligence.deliveredTwice(at: now)
  }
}

extension NotificationRecord {
  /// True for a request whose answer settles it, or that reached somebody: what 403, 429 and 5xx say is to be sent again.
  fileprivate var isSettled: Bool {
    guard let status = RequestStatus(self).number else { return entry.isAccepted }
    return status < 500 && status != 403 && status != 429
  }
}

extension ClosingReason {
  /// True for an end that may have cost answers which had left.
  fileprivate var losesAnswers: Bool {
    switch self {
    case .reset, .failed, .simulatorKilled: true
    case .peerClosed, .simulatorClosed, .timedOut, .drained: false
    }
  }
}
