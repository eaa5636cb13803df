import APNSimCore
import APNSimWire

/// Opening and closing of a capture's connections.
extension Replay {
  /// The connection of that number; nil for one that the capture does not begin and whose bytes therefore have no
  /// context: it is counted, once, as not compared.
  func connection(_ id: ConnectionID) -> ReplayConnection? {
    if let known = connections[id] { return known }
    if !unbegun.contains(id) {
      unbegun.insert(id)
      if !isBehindGap { result.uncomparedConnections += 1 }
    }
    return nil
  }

  /// Opens a connection that the capture does not begin, at its first notification: its lines are whole frames, so that
  /// it can be replayed from there on, and its effects on other connections too.
  func openBefore(_ id: ConnectionID, _ entry: CaptureEntry) {
    flush()
    let now = wall(entry)
    let topic = source.withFields { $0.string("topic") } ?? options.topic
    let isRequest = source.withFields { $0.string("interface") } == Interface.http2.name
    let listener = isRequest ? Listener.http2 : .gateway
    let provider = ProviderIdentity(topics: [topic], environment: .production, subject: "")
    let door = open(ConnectionOpening(peer: "", provider: provider), listener, at: now)
    let connection = ReplayConnection(name: id, listener: listener, door: door)
    connection.wasOpenBefore = true
    connections[id] = connection
    result.connections += 1
    if let replayed = connection.id { byReplayID[replayed] = id }
  }

  func open(_ captured: CapturedConnection, _ entry: CaptureEntry) {
    let now = wall(entry)
    result.connections += 1
    let door: ReplayConnection.Door
    var gateway: ConnectionOpening?
    if captured.listener == .device {
      let opening = source.withFields { fields in
        DeviceOpening(
          peer: captured.peer,
          device: fields.string("device") ?? "",
          subject: fields.string("subject") ?? "",
          environment: fields.string("environment").flatMap(PushEnvironment.init(rawValue:)) ?? .production,
          tlsVersion: captured.tlsVersion,
          cipher: captured.cipher
        )
      }
      door = .device(simulator.openDevice(opening, at: now))
    } else {
      var opening = opening(of: captured)
      if captured.listener == .gateway { gateway = opening }
      door =
        !isExact && refuses(&opening, captured.listener, at: now)
        ? .none : open(opening, captured.listener, at: now)
    }
    let connection = ReplayConnection(name: captured.id, listener: captured.listener, door: door)
    connection.lastWrite = entry.time
    connection.opening = gateway
    if captured.listener != .device, isRecording || captured.areAnswersSeen { seeAnswers(of: connection) }
    connection.areAnswersComplete = isRecording || captured.areAnswersSeen
    connection.isEndSeen = captured.listener == .gateway && connection.isAnswerSeen
    switch door {
    case .gateway(let gateway):
      if let span = gateway.plan.closeAfterHandshake { connection.note(.drain, at: entry.time + span) }
    case .none: connection.note(.drain, at: entry.time)
    case .feedback, .device, .http2: break
    }
    connections[captured.id] = connection
    if let id = connection.id { byReplayID[id] = captured.id }
    if case .feedback(let feedback) = door, !isExact {
      // A reader takes everything at once.
      var chunk = feedback.nextChunk(at: now)
      connection.isUnexplained = chunk.isEmpty && !reader.header.isComplete && options.scenario == nil
      while !chunk.isEmpty {
        connection.answers.addReplayed(chunk)
        chunk = feedback.nextChunk(at: now)
      }
    }
  }

  /// Resumes a connection after missing bytes, where frames were found again: its history is not known, so that its
  /// answers are not compared, but its notifications are judged.
  func resume(_ id: ConnectionID, at entry: CaptureEntry) {
    guard let known = connections[id], known.isBroken, let opening = known.opening else { return }
    let now = wall(entry)
    if case .gateway(let gateway) = known.door {
      byReplayID[gateway.id] = nil
      gateway.closed(.failed, at: now)
    }
    let connection = ReplayConnection(name: id, listener: .gateway, door: open(opening, .gateway, at: now))
    (connection.opening, connection.wasOpenBefore, connection.lastWrite) = (opening, true, entry.time)
    connections[id] = connection
    if let replayed = connection.id { byReplayID[replayed] = id }
  }

  /// True where a rule refuses the connection in its handshake. A capture has that only where a rule was asked.
  private func refuses(_ opening: inout ConnectionOpening, _ listener: Listener, at now: Timestamp) -> Bool {
    let ordinal = opening.ordinal ?? simulator.arrive(listener, at: now).ordinal
    opening.ordinal = ordinal
    if let judgement = judgements[listener], judgement.ordinal == ordinal { return judgement.isRefused }
    return simulator.refusal(listener, ordinal: ordinal, provider: opening.provider, at: now) != nil
  }

  private func opening(of captured: CapturedConnection) -> ConnectionOpening {
    var provider = captured.provider
    if provider.topic.isEmpty, captured.listener != .http2 { provider.topics = [options.topic] }
    var opening = ConnectionOpening(
      peer: captured.peer,
      provider: provider,
      tlsVersion: captured.tlsVersion,
      cipher: captured.cipher
    )
    opening.ordinal = captured.ordinal > 0 ? captured.ordinal : nil
    return opening
  }

  func open(
    _ opening: ConnectionOpening,
    _ listener: Listener,
    at now: Timestamp
  ) -> ReplayConnection.Door {
    do throws(TurnedAway) {
      return switch listener {
      case .feedback: .feedback(try simulator.openFeedback(opening, at: now))
      case .http2: .http2(try simulator.openRequests(opening, at: now))
      case .gateway, .device: .gateway(try simulator.openGateway(opening, at: now))
      }
    } catch {
      return .none
    }
  }

  /// Notes that the capture has the answers to a provider, even if there are none.
  func seeAnswers(of connection: ReplayConnection) {
    connection.isAnswerSeen = true
    result.hasRecordedAnswers = true
  }

  func close(_ id: ConnectionID, _ reason: ClosingReason, byService: Bool, _ entry: CaptureEntry) {
    guard let connection = connections[id] else { return }
    let now = wall(entry)
    // A capture that has the service's end of a connection also has what it sent.
    if reason == .simulatorClosed || byService { seeAnswers(of: connection) }
    switch connection.door {
    case .gateway(let gateway):
      // A journal of other settings does not have that an answer waited for the provider's end.
      if !isExact, reason == .peerClosed {
        let action = gateway.inputEnded(at: now)
        for record in action.records { connection.addReplayed(record, at: entry.time) }
        connection.note(action.ending, at: entry.time)
      }
      gateway.closed(reason, at: now)
    case .feedback(let feedback): feedback.closed(reason, at: now)
    case .http2(let requests): requests.closed(reason, at: now)
    case .device(let device): device.closed(reason, at: now)
    case .none: break
    }
    // Time passed to the end of the connection through everything that was due on it.
    noteDueAnswers(at: entry.time)
    // The server ends silent connections, whatever the gateway's state is.
    end(id, reason == .timedOut ? .unknown : CapturedEnd(reason, byService: byService), at: entry.time)
  }
}

/// Gaps in a capture, and content that this program does not know.
extension Replay {
  /// True where lines are missing before the present one. Stopping there may look ahead in the file, which invalidates
  /// a notification's line: it is read as an entry.
  @inline(__always)
  var isAtGap: Bool { !reader.gaps.isEmpty && !isBehindGap }

  func stopComparing() {
    flush()
    stopComparingJournal()
    for name in connections.keys.sorted() {
      if let lastTime { connections[name]?.settleAnswers(by: lastTime) }
      if let connection = connections[name], connection.isComparable, !connection.isUnexplained,
        connection.answers.hasParted
      {
        differ(.answer(connection.answers.answerDifference), on: connection)
      }
    }
    isBehindGap = true
  }

  /// Compares verdicts instead of lines from here on, because the recorded journal has something that this program
  /// cannot write.
  func stopComparingJournal() {
    guard result.comparesJournal else { return }
    flush()
    if let lastTime {
      simulator.wake(at: simulator.wall(showing: lastTime))
      noteDueAnswers(at: lastTime)
    }
    journal.comparison.settle()
    guard journal.comparison.parting == nil else { return }
    journal.comparison.stop()
    result.comparesJournal = false
    followsVerdicts = true
  }
}
