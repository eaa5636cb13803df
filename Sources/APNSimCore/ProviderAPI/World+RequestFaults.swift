import APNSimWire

/// Faults of requests: what they do to their connection besides answers.
extension World {
  /// A fault begins, ahead of its request's answer.
  mutating func begin(
    _ fault: Fault,
    at stream: UInt32,
    on connection: RequestRecord,
    _ actions: inout RequestActions
  ) {
    let effect = fault.ofAnswer
    let frame = effect.frame(at: stream, configuration.quirks)
    emit(.requestFault(connection.id, fault.name, stream: stream, frame))
    if effect.maxStreams != nil, let frame { actions.append(frame) }
    if effect.breaksConnection { connection.isBroken = true }
  }

  /// A fault ends, after its request's answer.
  mutating func finish(
    _ fault: Fault,
    at stream: UInt32,
    on connection: RequestRecord,
    _ actions: inout RequestActions
  ) {
    let effect = fault.ofAnswer
    if let code = effect.reset {
      actions.append(.resetStream(stream, code))
      noteReset(of: stream, on: connection)
    }
    if let goAway = effect.goAway { depart(goAway, at: stream, on: connection, &actions) }
  }

  // MARK: GOAWAY

  private mutating func depart(
    _ goAway: Fault.GoAway,
    at stream: UInt32,
    on connection: RequestRecord,
    _ actions: inout RequestActions
  ) {
    let lastAnswered = goAway.lastAnswered(at: stream)
    let frame = goAway.frame(at: stream, configuration.quirks)
    actions.append(frame)
    if goAway.isTwice { actions.append(frame) }
    connection.departure = RequestRecord.Departure(
      lastAnswered: min(lastAnswered, connection.departure?.lastAnswered ?? .max),
      refuses: goAway.then == .refuse,
      closes: goAway.then == .close
    )
    connection.noteGoAway(lastStream: goAway.lastStream(at: stream), at: now)
    for pending in connection.dropAnswers(above: lastAnswered) { leaveUnanswered(pending, on: connection) }
    endIfAnswered(connection, &actions)
  }

  /// A connection that GOAWAY closes ends with its last answer.
  mutating func endIfAnswered(_ connection: RequestRecord, _ actions: inout RequestActions) {
    guard connection.departure?.closes == true, connection.pending.isEmpty, !connection.isOver else { return }
    connection.conclude()
    actions.ending = .drain
  }

  /// Remembers a request that came after GOAWAY, on a stream that is not answered: the provider must send it again.
  mutating func discard(
    _ prepared: PreparedRequest,
    _ departure: RequestRecord.Departure,
    read: UInt32,
    since first: UInt64,
    on connection: RequestRecord,
    _ actions: inout RequestActions
  ) {
    if !clock.isVirtual { prepared.noteOpening() }
    connection.noteRequest(on: prepared.stream)
    let (submission, bytes) = (prepared.submission, prepared.bytes)
    submission.pointee.app = findApp(of: prepared, on: connection)
    let number = history.nextNumber
    let record = beginRecord(of: submission, in: bytes, on: connection.id, read: read, .discarded)
    record.pointee.status = RequestStatus.unanswered.rawValue
    noteOwner(of: submission.pointee, in: bytes, into: &record.pointee)
    keep(record.pointee)
    tally.countRequest(.discarded)
    connection.count(.discarded)
    leaveUnanswered(number, since: first, on: connection)
    if departure.refuses, !connection.isOver { actions.append(.resetStream(prepared.stream, .refusedStream)) }
  }

  // MARK: Streams given up

  /// The provider gives up a stream. One that was answered, or whose request is not whole, is none of the simulator's.
  mutating func giveUp(_ stream: UInt32, _ code: HTTP2Code, on connection: RequestRecord) -> RequestActions {
    var actions = RequestActions()
    let pending = connection.dropAnswer(on: stream)
    guard connection.isOpen, let number = pending?.answer.notification ?? connection.unanswered(stream) else {
      return actions
    }
    emit(.streamGivenUp(connection.id, stream: stream, notification: number, code))
    if let pending {
      leaveUnanswered(pending, on: connection)
      // The end that was to follow the answer waits for nothing.
      if pending.ending != .none { end(connection, pending.ending, &actions) }
    }
    noteReset(of: stream, on: connection)
    endIfAnswered(connection, &actions)
    return actions
  }

  // MARK: Counted faults

  /// Counts a request towards the fault that strikes after so many.
  mutating func strike(_ connection: RequestRecord, _ actions: inout RequestActions) {
    guard var strike = connection.strike, !connection.isOver, !connection.isDeaf else { return }
    strike.countFrames(1)
    connection.strike = strike
    guard strike.framesLeft == 0 else { return }
    connection.strike = nil
    end(connection, strike.ending, &actions)
  }

  /// The fault strikes whose bytes have been read. A replay, which has no bytes, lets it strike where the recording did.
  mutating func strikeAfterBytes(_ connection: RequestRecord) -> RequestActions {
    var actions = RequestActions()
    guard connection.isOpen, !connection.isOver, !connection.isDeaf,
      let strike = connection.strike, strike.bytesLeft != nil
    else { return actions }
    connection.strike = nil
    end(connection, strike.ending, &actions)
    return actions
  }

  /// A fault strikes before anything is read.
  mutating func strikeAtOpening(_ connection: RequestRecord) {
    guard let strike = connection.strike, strike.isDue else { return }
    connection.strike = nil
    var actions = RequestActions()
    end(connection, strike.ending, &actions)
    connection.openingEnding = actions.ending
  }

  // MARK: Quirks

  /// One stream at a time after a rejection, until the next success (openradar 27870881).
  func throttle(_ connection: RequestRecord, by answer: RequestAnswer, _ actions: inout RequestActions) {
    let isRejected = answer.status >= 300
    guard isRejected != connection.isThrottled else { return }
    connection.isThrottled = isRejected
    actions.append(.maxStreams(isRejected ? 1 : nil))
  }
}

extension RequestRecord.Departure {
  /// True for a request that is not answered any more.
  func discards(_ stream: UInt32, on connection: RequestRecord) -> Bool {
    connection.isOver || stream > lastAnswered
  }
}
