internal import APNSimWire
internal import DequeModule

/// Connections from their first to their last event.
extension World {
  /// Opens a connection; nil when there is no room for its app.
  mutating func open(_ listener: Listener, _ opening: ConnectionOpening) -> ConnectionRecord? {
    let provider = opening.provider
    guard let app = app(AppKey(topic: provider.topic, environment: provider.environment)) else { return nil }
    let id = ConnectionID(rawValue: nextConnection)
    nextConnection &+= 1
    let record = ConnectionRecord(id: id, listener: listener, opening: opening, app: app, at: now)
    connections[id] = record
    emit(.connectionOpened(id, listener, opening))
    return record
  }

  mutating func close(_ record: ConnectionRecord, _ reason: ClosingReason) {
    guard record.isOpen else { return }
    record.closedAt = now
    record.closing = reason
    emit(.connectionClosed(record.id, reason, record.counts))
    closedConnections.append(record.id)
    if closedConnections.count > configuration.limits.connections, let oldest = closedConnections.popFirst() {
      connections[oldest] = nil
    }
  }

  /// Adds an event to the total order.
  mutating func emit(_ event: Event) {
    history.append(EventRecord(seq: history.takeSeq(), time: now, event: event))
  }
}
