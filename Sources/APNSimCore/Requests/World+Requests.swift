import APNSimWire

/// The door of requests: one call for what one read brought to its end.
extension World {
  /// Takes requests in the order in which they ended, and answers each by itself.
  mutating func accept(
    _ requests: inout [PreparedRequest],
    read: UInt32,
    on connection: RequestRecord
  ) -> RequestActions {
    var actions = RequestActions()
    guard connection.isOpen, !connection.isOver else { return actions }
    let read = clock.isVirtual ? 0 : read
    if configuration.quirks.contains(.stickyServerError), now - connection.lastActivity >= .hours(1) {
      connection.isBroken = true
    }
    connection.lastActivity = now
    let first = history.nextNumber
    for place in requests.indices {
      guard !connection.isOver else { break }
      take(&requests[place], read: read, on: connection, &actions)
    }
    noteArrivals(from: first)
    history.trim()
    return actions
  }

  private mutating func take(
    _ prepared: inout PreparedRequest,
    read: UInt32,
    on connection: RequestRecord,
    _ actions: inout RequestActions
  ) {
    let identifiers = takeIdentifiers(for: prepared, on: connection)
    if let made = identifiers.made { prepared.request.make(made) }
    if !clock.isVirtual { prepared.request.noteOpening() }
    let app = app(of: prepared, on: connection)
    var submission = Submission(fields: prepared.fields)
    submission.end = prepared.request.bytes.count
    submission.app = app
    submission.interface = .http2
    submission.verdict = prepared.verdict
    let outcome = prepared.request.bytes.withUnsafeBytes { bytes in
      settle(&submission, prepared, in: bytes, read: read, on: connection)
    }
    connection.counts.received += 1
    connection.noteRequest(on: prepared.stream)
    connection.lastApp = app
    noteHabits(of: prepared, outcome, app: app)
    if history.notifications[outcome.number].entry == .rejected {
      connection.counts.rejected += 1
    } else {
      connection.counts.accepted += 1
    }
    prepared.request.bytes.withUnsafeBytes {
      noteResend(of: prepared.fields, in: $0, app: app, on: connection)
    }
    guard !outcome.isSilent else {
      leaveUnanswered(outcome.number, on: connection)
      if outcome.ending != .none { end(connection, outcome.ending, &actions) }
      return
    }
    var answer = RequestAnswer(
      stream: prepared.stream,
      notification: outcome.number,
      answer: Answer(
        to: prepared.head,
        in: UnsafeRawBufferPointer(start: nil, count: 0),
        reason: outcome.reason,
        timestamp: outcome.timestamp,
        made: identifiers.made,
        unique: identifiers.unique,
        quirks: setup.requestRules.quirks
      ),
      suppliedId: prepared.suppliedId
    )
    answer.channels = outcome.channels
    if let script = outcome.script {
      answer.say(script.status, script.reason, body: script.body, headers: script.headers)
    }
    guard outcome.delay > .zero else {
      tally.exchanges.answer(answer.status, answer.reason)
      actions.answers.append(answer)
      if outcome.ending != .none { end(connection, outcome.ending, &actions) }
      return
    }
    tally.exchanges.delay(outcome.delay)
    if let oldest = connection.makeRoom() { leaveUnanswered(oldest, on: connection) }
    let exchange = connection.put(answer, delay: outcome.delay, ending: outcome.ending)
    schedule(.sendReply(connection.id, exchange: exchange), at: now + outcome.delay)
  }

  /// The connection ends without an answer, as scripted.
  private mutating func end(
    _ connection: RequestRecord,
    _ ending: ConnectionEnding,
    _ actions: inout RequestActions
  ) {
    emit(.faultFired(connection.id, ending.faultName))
    if ending != .stopReading { connection.conclude() }
    actions.ending = ending
  }

  /// An answer that took its time is due.
  mutating func sendAnswer(_ id: ConnectionID, _ exchange: UInt32) {
    guard let connection = connections[id]?.http2, connection.isOpen, !connection.isOver,
      let pending = connection.take(exchange)
    else { return }
    count(pending)
    var actions = RequestActions()
    actions.answers = [pending.answer]
    emit(.answered(id, stream: pending.answer.stream, notification: pending.answer.notification))
    if pending.ending != .none { end(connection, pending.ending, &actions) }
    effects.perform(actions, on: id)
  }

  /// Takes the answers of a connection that have still to leave, in order.
  mutating func takeAnswers(of connection: RequestRecord) -> [RequestAnswer] {
    guard connection.isOpen, !connection.isOver else { return [] }
    let pending = connection.takeAll()
    for pending in pending { count(pending) }
    return pending.map(\.answer)
  }

  /// Counts an answer that leaves, unless its request came before the last reset.
  private mutating func count(_ pending: RequestRecord.PendingAnswer) {
    guard pending.isCounted else { return }
    tally.exchanges.answer(pending.answer.status, pending.answer.reason)
  }

  /// The identifiers of an answer, from the seed: `apns-id` where the provider chose none, and in the sandbox the one
  /// of the delivery log.
  private mutating func takeIdentifiers(
    for prepared: PreparedRequest,
    on connection: RequestRecord
  ) -> (made: Identifier?, unique: Identifier?) {
    let made = prepared.suppliedId.isEmpty ? Identifier(random: random.next(), random.next()) : nil
    let isSandbox = connection.opening.provider.environment == .sandbox
    return (made, isSandbox ? Identifier(random: random.next(), random.next()) : nil)
  }

  /// The app of a request: its topic's, made where there is room; without one, and without room, the certificate's.
  private mutating func app(of prepared: PreparedRequest, on connection: RequestRecord) -> UInt16 {
    guard let topic = prepared.topic else { return connection.app }
    // Most connections speak for one app.
    if let last = connection.lastApp, apps[last].key.topic.isExactly(topic) { return last }
    let key = AppKey(topic: topic, environment: connection.opening.provider.environment)
    return apps.add(key) ?? connection.app
  }
}
