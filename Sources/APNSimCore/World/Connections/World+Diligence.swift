import APNSimWire

/// The news that the watches of providers' diligence are told.
extension World {
  /// True if a new gateway connection is refused for churn, which is recorded then.
  mutating func refusesForChurn(_ opening: ConnectionOpening) -> Bool {
    let provider = opening.provider
    let key = AppKey(topic: provider.topic, environment: provider.environment)
    guard configuration.enforce, let app = apps.place(of: key), apps[app].diligence.refusesConnection(at: now)
    else { return false }
    apps[app].diligence.connectionRefused(at: now)
    emit(.connectionTurnedAway(.gateway, opening, reason: "churn"))
    return true
  }

  /// A gateway connection is gone.
  mutating func noteClosed(_ record: GatewayRecord, _ reason: ClosingReason) {
    guard let diligence = record.diligence else { return }
    // A shutdown may come between two writes.
    let hasLeft =
      (reason != .drained && reason != .simulatorKilled)
      || record.progress.hasWaited(apps[record.app].diligence.limits.framePatience, at: clock.wall)
    if !record.isOver, record.progress.current != nil, hasLeft {
      apps[record.app].diligence.endedWithinFrame(at: now)
    }
    let isOurs = record.error != nil || !record.failed.isEmpty
    apps[record.app].diligence.connectionClosed(
      diligence,
      byProvider: !isOurs && (reason == .peerClosed || reason == .reset),
      at: now
    )
  }

  /// A batch has been judged.
  mutating func note(_ batch: BatchDiligence, read: UInt32, on connection: GatewayRecord) {
    guard var diligence = connection.diligence else { return }
    apps[connection.app].diligence.received(batch, read: read, on: &diligence, at: now)
    connection.diligence = diligence
  }

  /// Notifications were discarded after an error. So many of them make good what was discarded earlier, and so many
  /// of these or of earlier ones are not followed for it.
  mutating func noteDiscarded(
    _ count: Int,
    resent: Int,
    notFollowed: Int,
    on connection: GatewayRecord
  ) {
    guard var diligence = connection.diligence else { return }
    let errorAt = connection.error?.at
    apps[connection.app].diligence.discarded(
      count,
      resent: resent,
      errorAt: errorAt,
      on: &diligence,
      at: now
    )
    apps[connection.app].diligence.followsNoMore(notFollowed)
    connection.diligence = diligence
  }
}
