import APNSimWire

/// Notifications that stood when their connection met an error, and are accepted once more.
extension World {
  /// A connection has met an error: what it had accepted stands.
  mutating func noteStanding(on connection: GatewayRecord) {
    guard connection.counts.accepted > 0 else { return }
    apps[connection.app].duplicates.connectionFailed(connection.id, accepted: connection.counts.accepted)
  }

  /// Looks whether the latest notification, which was accepted, had been accepted before.
  /// - Parameter start: where its bytes begin in the buffer.
  mutating func noteDuplicate(
    _ fields: NotificationFields,
    in buffer: UnsafeRawBufferPointer,
    from start: Int,
    on connection: GatewayRecord
  ) {
    guard fields.hasIdentifier else { return }
    if apps[connection.app].duplicates.hasUnread(besides: connection.id) { readStanding(before: connection) }
    let key = fields.standingKey(in: buffer, from: start)
    guard let accepted = apps[connection.app].duplicates.candidate(key, on: connection.id),
      history.notifications.contains(accepted.number)
    else { return }
    let record = history.notifications[accepted.number]
    let content = record.fields.content(in: history.evidence(of: record))
    guard record.fields.identifier == fields.identifier, content == fields.content(in: buffer, from: start)
    else { return }
    apps[connection.app].duplicates.noteDuplicate()
    apps[connection.app].diligence.acceptedAgain(at: now)
    connections.gateway(accepted.connection)?.noteDuplicate(
      fields.identifier,
      most: configuration.limits.resendIdentifiers
    )
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
      let key = record.fields.standingKey(in: history.evidence(of: record), from: 0)
      apps[connection.app].duplicates.stands(.init(number: number, connection: record.connection), key: key)
      found += 1
    }
  }
}

extension NotificationFields {
  /// A hash of identifier and token.
  fileprivate func standingKey(in buffer: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
    var hash = Hash64()
    hash.combine(UInt64(identifier.rawValue))
    hash.combine(tokenHash(in: buffer, from: start))
    return hash.finalize()
  }
}
