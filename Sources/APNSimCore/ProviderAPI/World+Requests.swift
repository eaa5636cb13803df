import APNSimWire

/// The door of requests: one call for what one read brought to its end.
extension World {
  /// Takes requests in the order in which they ended, and answers each by itself.
  mutating func accept(
    _ batch: inout RequestBatch,
    read: UInt32,
    isLive: Bool,
    on connection: RequestRecord
  ) -> RequestActions {
    var actions = RequestActions()
    guard connection.isOpen, !connection.isOver || connection.departure != nil else { return actions }
    let read = clock.isVirtual ? 0 : read
    let seesTokens = isLive && clock.isVirtual && configuration.rules.have(.clockOfProviderTokens)
    if configuration.quirks.contains(.stickyServerError), now - connection.lastActivity >= .hours(1) {
      connection.isBroken = true
    }
    connection.lastActivity = now
    let first = history.nextNumber
    actions.answers.reserveCapacity(batch.count)
    connection.latest = nil
    for place in 0..<batch.count {
      guard !connection.isDeaf else { break }
      let prepared = batch[place]
      if let departure = connection.departure, departure.discards(prepared.stream, on: connection) {
        discard(prepared, departure, read: read, since: first, on: connection, &actions)
        continue
      }
      guard !connection.isOver else { break }
      if seesTokens { noteRealTime(of: prepared) }
      take(prepared, read: read, since: first, on: connection, &actions)
      if connection.strike != nil { strike(connection, &actions) }
    }
    noteArrivals(from: first)
    history.trim()
    return actions
  }

  /// The real time goes into the evidence where it decides: at the first sight of a good token.
  private func noteRealTime(of prepared: PreparedRequest) {
    guard let token = prepared.authorization.token, token.verdict == .good,
      firstSights.age(of: token.number, at: now) == nil
    else { return }
    prepared.note(realTime: clock.wall)
  }

  private mutating func take(
    _ prepared: PreparedRequest,
    read: UInt32,
    since first: UInt64,
    on connection: RequestRecord,
    _ actions: inout RequestActions
  ) {
    let identifiers = takeIdentifiers(for: prepared, on: connection)
    if let made = identifiers.made { prepared.make(made) }
    if !clock.isVirtual { prepared.noteOpening() }
    let app = findApp(of: prepared, on: connection)
    prepared.submission.pointee.app = app
    let outcome = settle(prepared, read: read, on: connection)
    connection.noteRequest(on: prepared.stream)
    connection.lastApp = app
    noteHabits(of: prepared, outcome, app: app)
    if outcome.isByScript { noteScriptedRefusal(of: prepared, outcome, on: connection) }
    connection.count(history.notifications[outcome.number].entry)
    noteRepetition(of: prepared.submission, in: prepared.bytes, app: app, since: first, on: connection)
    if let fault = outcome.fault { begin(fault, at: prepared.stream, on: connection, &actions) }
    if outcome.isSilent {
      leaveUnanswered(outcome.number, since: first, on: connection)
      if outcome.ending != .none { end(connection, outcome.ending, &actions) }
    } else {
      answer(prepared, outcome, identifiers, on: connection, &actions)
    }
    if let fault = outcome.fault { finish(fault, at: prepared.stream, on: connection, &actions) }
  }

  /// Where a script says that a provider token is no good, a provider has to make another, which is no update then.
  private mutating func noteScriptedRefusal(
    of prepared: PreparedRequest,
    _ outcome: RequestOutcome,
    on connection: RequestRecord
  ) {
    guard outcome.reason == .expiredProviderToken || outcome.reason == .invalidProviderToken,
      configuration.rules.have(.tokenAfterScriptedRefusal), let token = prepared.authorization.token
    else { return }
    connection.latest = nil
    switch configuration.tokenUpdates {
    case .connection: connection.tokenUpdates?.refusedByScript(token.number, of: token.keyID)
    case .team: connections.tokenUpdates[token.teamID]?.refusedByScript(token.number, of: token.keyID)
    case .off: break
    }
  }

  /// Answers now, or schedules the answer.
  private mutating func answer(
    _ prepared: PreparedRequest,
    _ outcome: RequestOutcome,
    _ identifiers: (made: Identifier?, unique: Identifier?),
    on connection: RequestRecord,
    _ actions: inout RequestActions
  ) {
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
    answer.cut = outcome.cut
    if outcome.isSpecial {
      answer.channels = outcome.channels
      if let script = outcome.script {
        answer.say(script.status, script.reason, body: script.body, headers: script.headers)
      }
    }
    if prepared.isHead { answer.omitBody() }
    guard outcome.delay > .zero else {
      tally.exchanges.answer(answer.status, answer.reason)
      if let delay = outcome.bodyDelay { tally.exchanges.delay(delay) }
      return give(answer, outcome.bodyDelay, outcome.ending, on: connection, &actions)
    }
    tally.exchanges.delay(outcome.wholeDelay)
    if let oldest = connection.makeRoom() { leaveUnanswered(oldest, on: connection) }
    let exchange = connection.put(
      answer,
      delay: outcome.delay,
      bodyDelay: outcome.bodyDelay,
      ending: outcome.ending
    )
    schedule(.sendReply(connection.id, exchange: exchange), at: now + outcome.delay)
  }

  /// An answer leaves, or its headers where its body comes later; the connection's end follows it.
  private mutating func give(
    _ answer: consuming RequestAnswer,
    _ bodyDelay: TimeSpan?,
    _ ending: ConnectionEnding,
    on connection: RequestRecord,
    _ actions: inout RequestActions
  ) {
    let place = actions.answers.count
    actions.answers.append(answer)
    if configuration.quirks.contains(.concurrencyDrop) {
      throttle(connection, by: actions.answers[place], &actions)
    }
    if let bodyDelay {
      var body = actions.answers[place]
      actions.answers[place].part = .headers
      body.part = .body
      if let oldest = connection.makeRoom() { leaveUnanswered(oldest, on: connection) }
      let exchange = connection.put(body, delay: bodyDelay, ending: ending, isCounted: false)
      schedule(.sendReply(connection.id, exchange: exchange), at: now + bodyDelay)
    } else if ending != .none {
      end(connection, ending, &actions)
    }
  }

  /// The connection ends, or is read no further, as scripted.
  mutating func end(
    _ connection: RequestRecord,
    _ ending: ConnectionEnding,
    _ actions: inout RequestActions
  ) {
    emit(.faultFired(connection.id, ending.faultName))
    if ending == .stopReading { connection.isDeaf = true } else { connection.conclude() }
    if connection.isOver, settlesByAnswer { leavePendingUnanswered(on: connection) }
    actions.ending = ending
  }

  /// An answer that took its time is due.
  mutating func sendAnswer(_ id: ConnectionID, _ exchange: UInt32) {
    guard let connection = connections[id]?.http2, connection.isOpen, !connection.isOver,
      let pending = connection.take(exchange)
    else { return }
    count(pending)
    var actions = RequestActions()
    if pending.bodyDelay == nil {
      emit(.answered(id, stream: pending.answer.stream, notification: pending.answer.notification))
    }
    give(pending.answer, pending.bodyDelay, pending.ending, on: connection, &actions)
    endIfAnswered(connection, &actions)
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
  mutating func findApp(of prepared: PreparedRequest, on connection: RequestRecord) -> UInt16 {
    guard let topic = prepared.topic else { return connection.app }
    if let latest = connection.latest, latest.topic == prepared.row.pointee.topic { return latest.app }
    // Most connections speak for one app.
    if let last = connection.lastApp, apps[last].key.topic.isExactly(topic) { return last }
    let key = AppKey(topic: topic, environment: connection.opening.provider.environment)
    return apps.add(key) ?? connection.app
  }
}
