import APNSimWire

/// Notifications that stood when their connection met an error, and are accepted once more.
extension World {
  /// A connection has met an error: what it had accepted stands.
  mutating func noteStanding(on connection: GatewayRecord) {
    guard connection.counts.accepted > 0 else { return }
    apps[connection.app].duplicates.connectionFailed(connection.id, accepted: connection.counts.accepted)
  }

  /// Looks whether the latest notification, which was accepted and has an identifier, had been accepted before.
  mutating func noteDuplicate(
    _ content: inout NotificationContent,
    _ identifier: NotificationIdentifier,
    on connection: GatewayRecord
  ) {
    let app = connection.app
    if apps[app].duplicates.hasUnread(besides: connection.id) { readStanding(before: connection) }
    let key = DuplicateWatch.key(content.token, identifier)
    guard let accepted = apps[app].duplicates.candidate(key, on: connection.id),
      isAgain(&content, identifier, accepted, key, app: app)
    else { return }
    apps[app].duplicates.noteDuplicate()
    apps[app].diligence.acceptedAgain(at: now)
    connections.lookUp(accepted.connection)?.gateway?.noteDuplicate(
      identifier,
      most: configuration.limits.resendIdentifiers
    )
  }

  /// True if a notification is the same as one that stands, under the same key.
  private mutating func isAgain(
    _ content: inout NotificationContent,
    _ identifier: NotificationIdentifier,
    _ accepted: DuplicateWatch.Accepted,
    _ key: UInt64,
    app: UInt16
  ) -> Bool {
    guard history.notifications.contains(accepted.number),
      history.notifications[accepted.number].fields.identifier == identifier
    else { return false }
    return isAgain(&content, accepted, key, app: app)
  }

  /// True if a notification has the content of one that stands, to the same token.
  mutating func isAgain(
    _ content: inout NotificationContent,
    _ accepted: DuplicateWatch.Accepted,
    _ key: UInt64,
    app: UInt16
  ) -> Bool {
    guard history.notifications.contains(accepted.number) else { return false }
    let record = history.notifications[accepted.number]
    let payload = record.fields.payload(in: history.evidence(of: record))
    if content.payload.hasBytes(of: payload) { return true }
    var standing = NotificationContent(token: content.token, payload: payload, isJSON: record.isJSON)
    if let known = accepted.content { standing.take(known) }
    apps[app].duplicates.note(standing.hash, of: key)
    return content.hash == standing.hash
  }

  /// Looks in the history for what connections had accepted before their errors, the latest first, and no further back
  /// than they had accepted anything.
  private mutating func readStanding(before connection: GatewayRecord) {
    // A few: a look at each takes less than a hash.
    var failed = apps[connection.app].duplicates.takeUnread(before: connection.id)
    var number = history.notifications.end
    var (found, seen) = (0, 0)
    while !failed.isEmpty, number > history.notifications.first, found < DuplicateWatch.mostNotifications,
      seen < 4 * DuplicateWatch.mostNotifications
    {
      number -= 1
      seen += 1
      let record = history.notifications[number]
      guard let place = failed.firstIndex(where: { $0.connection == record.connection }),
        record.entry != .rejected, record.entry != .discarded
      else { continue }
      failed[place].accepted -= 1
      if failed[place].accepted == 0 { failed.remove(at: place) }
      guard record.fields.hasIdentifier else { continue }
      let token = record.fields.tokenHash(in: history.evidence(of: record))
      let key = DuplicateWatch.key(token, record.fields.identifier)
      apps[connection.app].duplicates.stands(.init(number: number, connection: record.connection), key: key)
      found += 1
    }
  }
}
