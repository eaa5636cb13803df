/// Connections from their first to their last event.
extension World {
  /// Opens a connection to the gateway; nil when there is no room for its app.
  mutating func openGateway(_ opening: ConnectionOpening) -> GatewayRecord? {
    guard let beginning = begin(.gateway, opening) else { return nil }
    let record = GatewayRecord(beginning)
    record.take(book)
    record.diligence = apps[record.app].diligence.connectionOpened(at: now)
    add(.gateway(record))
    return record
  }

  /// Opens a connection to the feedback service; nil when there is no room for its app.
  mutating func openFeedback(_ opening: ConnectionOpening) -> FeedbackRecord? {
    guard let beginning = begin(.feedback, opening) else { return nil }
    let record = FeedbackRecord(beginning)
    add(.feedback(record))
    return record
  }

  /// Opens a connection of requests; nil when there is no room for its app.
  mutating func openRequests(_ opening: ConnectionOpening) -> RequestRecord? {
    guard let beginning = begin(.http2, opening) else { return nil }
    let record = RequestRecord(beginning)
    record.take(book)
    record.strike = record.plan.isMute ? nil : record.plan.strike.flatMap { StreamStrike($0) }
    // Bytes that come there are recorded, and nothing is answered.
    if record.plan.isBlackHole { record.departure = .nothingIsAnswered }
    add(.http2(record))
    return record
  }

  private mutating func begin(
    _ listener: Listener,
    _ opening: ConnectionOpening
  ) -> ConnectionRecord.Beginning? {
    let provider = opening.provider
    guard let app = apps.add(AppKey(topic: provider.topic, environment: provider.environment)) else {
      emit(.connectionTurnedAway(listener, opening, reason: "noRoom"))
      return nil
    }
    let id = connections.takeID()
    // A place of 0 is none: nothing could be counted when the connection came in.
    let counted = opening.ordinal.flatMap { $0 > 0 ? $0 : nil }
    let ordinal = counted ?? connections.takeOrdinal(of: listener)
    return ConnectionRecord.Beginning(
      id: id,
      opening: opening,
      app: app,
      ordinal: ordinal,
      plan: plan(listener, ordinal: ordinal, provider: provider),
      time: now
    )
  }

  private mutating func add(_ connection: Connection) {
    let record = connection.record
    connections.add(connection)
    emit(.connectionOpened(record.id, connection.listener, ordinal: record.ordinal, record.opening))
    scheduleIdleClose(of: record)
  }

  private mutating func scheduleIdleClose(of record: ConnectionRecord) {
    if let span = record.plan.idleClose { schedule(.closeIdle(record.id), at: now + span) }
  }

  /// Lets an open connection of an older world go on in this one. One that has been ended there is no connection of the
  /// new beginning, however long its provider takes to notice.
  mutating func carryOn(_ connection: Connection) {
    let record = connection.record
    guard !record.isOver else { return record.close(nil, at: now) }
    // There is room: that was looked at before.
    guard let app = apps.add(record.appKey) else { return }
    record.beginAnew(app: app, ordinal: connections.takeOrdinal(of: connection.listener), at: now)
    if let record = connection.gateway {
      record.take(book)
      record.diligence = apps[app].diligence.connectionOpened(at: now)
    }
    connection.http2?.take(book)
    connections.add(connection)
    for pending in connection.gateway?.replies.timed ?? [] {
      schedule(.sendReply(record.id, exchange: pending.exchange), at: now + pending.reply.delay)
    }
    for pending in connection.http2?.pending ?? [] {
      schedule(.sendReply(record.id, exchange: pending.exchange), at: now + pending.delay)
    }
    scheduleIdleClose(of: record)
  }

  /// Closes a connection that has been silent for its idle time; one that was not waits for the rest.
  mutating func closeIdle(_ id: ConnectionID) {
    guard let record = connections[id]?.record, record.isOpen, !record.isOver,
      let span = record.plan.idleClose
    else { return }
    let due = record.lastActivity + span
    guard due <= now else { return schedule(.closeIdle(id), at: due) }
    record.end()
    emit(.faultFired(id, "idleClose"))
    var action = GatewayAction.none
    action.ending = .drain
    effects.perform(action, on: id)
  }

  /// True if a provider or a device is connected under this number.
  func isOpen(_ id: ConnectionID) -> Bool {
    connections[id]?.record.isOpen ?? (sessions.session(id) != nil)
  }

  /// A gateway connection is gone.
  mutating func close(_ record: GatewayRecord, _ reason: ClosingReason) {
    guard record.isOpen else { return }
    record.close(reason, at: now)
    noteClosed(record, reason)
    remember(record, reason, record.counts)
  }

  /// A feedback connection is gone.
  mutating func close(_ record: FeedbackRecord, _ reason: ClosingReason) {
    guard record.isOpen else { return }
    record.close(reason, at: now)
    remember(record, reason, ConnectionCounts())
  }

  /// A connection of requests is gone.
  mutating func close(_ record: RequestRecord, _ reason: ClosingReason) {
    guard record.isOpen else { return }
    record.close(reason, at: now)
    leavePendingUnanswered(on: record)
    noteStanding(on: record, reason)
    if let app = record.lastApp, reason == .peerClosed || reason == .reset, !record.isOver {
      apps[app].diligence.requestsClosed(
        openedAt: record.openedAt,
        requests: record.counts.received,
        at: now
      )
    }
    remember(record, reason, record.counts)
  }

  private mutating func remember(
    _ record: ConnectionRecord,
    _ reason: ClosingReason,
    _ counts: ConnectionCounts
  ) {
    emit(.connectionClosed(record.id, reason, byService: record.isOver, counts))
    connections.noteClosed(record.id)
    while let forgotten = connections.forgetNext() {
      if let record = forgotten.gateway { forgetDiscards(of: record) }
      if let record = forgotten.http2 { forgetUnanswered(of: record) }
    }
  }
}
