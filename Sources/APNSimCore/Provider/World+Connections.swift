internal import APNSimWire
internal import DequeModule

/// Connections from their first to their last event.
extension World {
  /// Opens a connection; nil when there is no room for its app.
  mutating func open(_ listener: Listener, _ opening: ConnectionOpening) -> ConnectionRecord? {
    let provider = opening.provider
    guard let app = app(AppKey(topic: provider.topic, environment: provider.environment)) else {
      emit(.connectionTurnedAway(listener, opening, reason: "noRoom"))
      return nil
    }
    let id = ConnectionID(rawValue: nextConnection)
    nextConnection &+= 1
    let ordinal = opening.ordinal ?? takeOrdinal(of: listener)
    let record = ConnectionRecord(
      id: id,
      listener: listener,
      opening: opening,
      app: app,
      ordinal: ordinal,
      plan: plan(listener, ordinal: ordinal, provider: provider),
      rules: book.candidates(listener, ordinal: ordinal, provider: provider, ofConnection: false),
      at: now
    )
    if listener == .gateway { record.diligence = apps[Int(app)].diligence.connectionOpened(at: now) }
    connections[id] = record
    emit(.connectionOpened(id, listener, ordinal: ordinal, opening))
    if let span = record.plan.idleClose { schedule(.closeIdle(id), at: now + span) }
    return record
  }

  /// The next place among the connections of a listener.
  mutating func takeOrdinal(of listener: Listener) -> UInt32 {
    nextOrdinal[listener, default: 0] &+= 1
    return nextOrdinal[listener] ?? 1
  }

  /// Closes a connection that has been silent for so long; one that was not waits for the rest.
  mutating func closeIdle(_ id: ConnectionID) {
    guard let record = connections[id], record.isOpen, !record.isOver, let span = record.plan.idleClose else {
      return
    }
    let due = record.lastActivity + span
    guard due <= now else { return schedule(.closeIdle(id), at: due) }
    record.end()
    emit(.faultFired(id, "idleClose"))
    var action = GatewayAction.none
    action.ending = .drain
    effects.perform(action, on: id)
  }

  /// Whether a provider or a device is connected under this number.
  func isOpen(_ id: ConnectionID) -> Bool {
    connections[id]?.isOpen ?? sessions.values.contains { $0.id == id }
  }

  mutating func close(_ record: ConnectionRecord, _ reason: ClosingReason) {
    guard record.isOpen else { return }
    record.closedAt = now
    record.closing = reason
    noteClosed(record, reason)
    emit(.connectionClosed(record.id, reason, byService: record.isOver, record.counts))
    closedConnections.append(record.id)
    forgetOldConnections()
  }

  /// Keeps what is remembered of closed connections within bounds, the latest one always.
  private mutating func forgetOldConnections() {
    let limits = configuration.limits
    while closedConnections.count > limits.connections
      || (rememberedDiscards > limits.discards / 2 && closedConnections.count > 1),
      let oldest = closedConnections.popFirst()
    {
      guard let record = connections.removeValue(forKey: oldest) else { continue }
      if record.error != nil { forgottenErrors += 1 }
      rememberedDiscards -= record.discarded.count
      let forgotten = apps[Int(record.app)].resends.forget(record)
      apps[Int(record.app)].diligence.followsNoMore(forgotten)
    }
  }
}
