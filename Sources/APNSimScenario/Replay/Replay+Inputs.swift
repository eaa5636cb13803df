internal import APNSimCore
internal import APNSimWire

/// What each line of a capture does.
extension Replay {
  func play(_ entry: CaptureEntry) {
    switch entry.kind {
    case .bytesIn(let id, let bytes, let dropped, let notification):
      receive(bytes, dropped, notification, from: id, entry)
    case .bytesOut(let id, let bytes): answered(bytes, entry.answer, on: id, at: entry.time)
    case .connectionOpened(let connection):
      flush()
      open(connection, at: wall(entry))
    case .connectionClosed(let id, let reason):
      flush()
      close(id, reason, at: wall(entry))
    case .bytesMissing(let id, let direction, let count):
      flush()
      result.missingBytes += UInt64(max(0, count))
      if direction == .in { connections[id]?.isBroken = true }
    case .command(let json):
      flush()
      perform(json, entry)
    case .other(let name): if entry.isInput { other(name, entry) }
    }
  }

  private func wall(_ entry: CaptureEntry) -> Timestamp { simulator.wall(showing: entry.time) }

  // MARK: Bytes

  private func receive(
    _ bytes: [UInt8],
    _ dropped: Int,
    _ notification: CapturedNotification?,
    from id: ConnectionID,
    _ entry: CaptureEntry
  ) {
    guard let connection = connections[id] else {
      flush()
      result.missingBytes += UInt64(bytes.count + dropped)
      return
    }
    if case .device(let device) = connection.door {
      flush()
      receive(bytes, dropped, from: device, entry)
      return
    }
    guard case .gateway = connection.door, !connection.isBroken else { return }
    let read = notification?.read ?? 0
    if takesSingly || !batch.joins(id, entry.time, read, bytes.count) {
      flush()
      batch.begin(connection, entry.time, read)
    }
    bytes.withUnsafeBytes { batch.append($0) }
    if let notification, observe != nil { connection.pending.append(notification) }
    if takesSingly, let notification {
      issuer.isTokenGood =
        !(notification.outcome == .rejected && notification.status == StatusCode.invalidToken.rawValue)
      flush()
      issuer.isTokenGood = nil
    }
    // How many there were is in the journal; what they were decided nothing any more.
    let nothing = [UInt8](repeating: 0, count: min(dropped, ReplayBatch.most))
    for start in stride(from: 0, to: dropped, by: ReplayBatch.most) {
      if start > 0 { batch.begin(connection, entry.time, read) }
      nothing.withUnsafeBytes { batch.append(UnsafeRawBufferPointer(rebasing: $0.prefix(dropped - start))) }
      flush()
    }
  }

  /// A notification of a gateway connection, in the simulator's own writing.
  /// - Returns: false when it has to be taken as an entry.
  @inline(__always)
  func receive(_ line: NotificationLine) -> Bool {
    guard !takesSingly else { return false }
    if !batch.joins(line.connection, line.time, line.facts.read, Base64.room(for: line.raw)) {
      return begin(line)
    }
    guard batch.append(base64: line.raw) else { return false }
    if observe != nil { batch.connection?.pending.append(line.facts) }
    return true
  }

  /// Handing in what waits may look ahead in the file, and the line is gone: its bytes are read before.
  private func begin(_ line: NotificationLine) -> Bool {
    guard let connection = connections[line.connection], case .gateway = connection.door,
      !connection.isBroken
    else { return false }
    scratch.begin(connection, line.time, line.facts.read)
    guard scratch.append(base64: line.raw) else { return false }
    flush()
    swap(&batch, &scratch)
    if observe != nil { connection.pending.append(line.facts) }
    return true
  }

  /// Hands the gathered bytes in.
  func flush() {
    guard let connection = batch.connection else { return }
    batch.end()
    guard case .gateway(let gateway) = connection.door else { return }
    let now = simulator.wall(showing: batch.time)
    takeVerdicts(gateway.receive(batch.bytes, read: batch.read, at: now), of: connection)
    for (id, action) in outlet.take() { note(action, on: id) }
  }

  private func takeVerdicts(_ action: GatewayAction, of connection: ReplayConnection) {
    let answer = action.records.isEmpty ? [] : action.records.flatMap { $0 }
    if !answer.isEmpty { connection.answers.addReplayed(answer) }
    guard let observe else {
      nextVerdict = simulator.countOutcomes(from: nextVerdict, into: &counts)
      return
    }
    let verdicts = simulator.verdicts(from: nextVerdict)
    for verdict in verdicts {
      let recorded = connection.takePending()
      let isAnswered = !answer.isEmpty && verdict.outcome == .rejected
      if isAnswered { connection.lastNotification = recorded?.number ?? verdict.number }
      let notification = ReplayedNotification(
        connection: connection.name,
        verdict: verdict,
        recorded: recorded,
        answer: isAnswered ? answer : []
      )
      counts[Int(verdict.outcome.rawValue)] += 1
      if !notification.isSame { differ(notification) }
      observe(notification)
    }
    nextVerdict = (verdicts.last?.number).map { $0 + 1 } ?? nextVerdict
  }

  private func differ(_ notification: ReplayedNotification) {
    guard let recorded = notification.recorded else { return }
    func text(_ outcome: Outcome, _ status: UInt8) -> [UInt8] {
      Array((status > 0 ? "\(outcome), status \(status)" : "\(outcome)").utf8)
    }
    differ(
      ReplayResult.Difference(
        kind: .verdict,
        connection: notification.connection,
        notification: "n\(recorded.number)",
        recorded: text(recorded.outcome, recorded.status),
        replayed: text(notification.verdict.outcome, notification.verdict.status),
        isText: true
      )
    )
  }

  private func receive(_ bytes: [UInt8], _ dropped: Int, from device: DeviceConnection, _ entry: CaptureEntry)
  {
    // A line was recorded without its end; one that never ended, by its beginning.
    let line = dropped > 0 ? bytes + [UInt8](repeating: 0x78, count: dropped) : bytes + [0x0A]
    let now = wall(entry)
    line.withUnsafeBytes { device.receive($0, at: now) }
  }

  /// Bytes that went to a provider.
  private func answered(
    _ bytes: [UInt8],
    _ answer: CaptureEntry.Answer,
    on id: ConnectionID,
    at time: Timestamp
  ) {
    guard let connection = connections[id] else { return }
    if answer == .feedback, isExact {
      flush()
      if case .feedback(let feedback) = connection.door {
        let now = simulator.wall(showing: time)
        connection.answers.addReplayed(feedback.nextChunk(maximumBytes: bytes.count, at: now))
      }
    }
    if case .device = connection.door { return }
    result.hasRecordedAnswers = true
    connection.answers.addRecorded(bytes)
  }

  /// An answer that was due later.
  func note(_ action: GatewayAction, on id: ConnectionID) {
    guard let name = byReplayID[id], let connection = connections[name] else { return }
    for record in action.records { connection.answers.addReplayed(record) }
  }

  // MARK: Connections

  private func open(_ captured: CapturedConnection, at now: Timestamp) {
    result.connections += 1
    let door: ReplayConnection.Door
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
      door = open(opening(of: captured), captured.listener, at: now)
    }
    let connection = ReplayConnection(name: captured.id, door: door)
    connections[captured.id] = connection
    if let id = connection.id { byReplayID[id] = captured.id }
    if case .feedback(let feedback) = door, !isExact {
      // A reader takes what there is, as fast as it can.
      while true {
        let chunk = feedback.nextChunk(at: now)
        guard !chunk.isEmpty else { break }
        connection.answers.addReplayed(chunk)
      }
    }
  }

  private func opening(of captured: CapturedConnection) -> ConnectionOpening {
    var provider = captured.provider
    if provider.topic.isEmpty { provider.topics = [options.topic] }
    var opening = ConnectionOpening(
      peer: captured.peer,
      provider: provider,
      tlsVersion: captured.tlsVersion,
      cipher: captured.cipher
    )
    opening.ordinal = captured.ordinal > 0 ? captured.ordinal : nil
    return opening
  }

  private func open(
    _ opening: ConnectionOpening,
    _ listener: Listener,
    at now: Timestamp
  ) -> ReplayConnection.Door {
    do throws(TurnedAway) {
      return listener == .feedback
        ? .feedback(try simulator.openFeedback(opening, at: now))
        : .gateway(try simulator.openGateway(opening, at: now))
    } catch {
      return .none
    }
  }

  private func close(_ id: ConnectionID, _ reason: ClosingReason, at now: Timestamp) {
    guard let connection = connections[id] else { return }
    switch connection.door {
    case .gateway(let gateway):
      // In a journal of other settings nobody says that an answer waited for the provider's end.
      if !isExact, reason == .peerClosed {
        for record in gateway.inputEnded(at: now).records { connection.answers.addReplayed(record) }
      }
      gateway.closed(reason, at: now)
    case .feedback(let feedback): feedback.closed(reason, at: now)
    case .device(let device): device.closed(reason, at: now)
    case .none: break
    }
    end(id)
  }

  // MARK: Others

  private func perform(_ json: [UInt8], _ entry: CaptureEntry) {
    let recordedWall = source.withFields { $0.string("wall").flatMap { Timestamp($0) } }
    guard let command = CommandReader.read(json) else {
      result.unknownCommands += 1
      return
    }
    // A command that failed then fails now, which is in the journal as well.
    try? simulator.perform(command, at: recordedWall ?? wall(entry))
  }

  private func other(_ name: String, _ entry: CaptureEntry) {
    flush()
    let now = wall(entry)
    let facts = source.withFields { OtherInput($0) }
    switch name {
    case "connectionRefused":
      if let provider = facts.provider {
        var opening = ConnectionOpening(peer: facts.peer, provider: provider)
        opening.ordinal = facts.ordinal > 0 ? facts.ordinal : nil
        if case .gateway(let connection) = open(opening, facts.listener, at: now) {
          connection.closed(.failed, at: now)
        }
      } else {
        simulator.noteRefusedConnection(
          facts.listener,
          peer: facts.peer,
          reason: facts.reason,
          subject: facts.subject,
          at: now
        )
      }
    case "connectionArrived": simulator.askAcceptDelay(facts.listener, ordinal: facts.ordinal, at: now)
    case "certificateJudged":
      guard let provider = facts.provider else { return }
      _ = simulator.refusal(facts.listener, ordinal: facts.ordinal, provider: provider, at: now)
    default: steer(name, facts, at: now)
    }
  }

  private func steer(_ name: String, _ facts: OtherInput, at now: Timestamp) {
    guard let id = facts.connection, let connection = connections[id] else { return }
    switch (name, connection.door) {
    case ("inputEnded", .gateway(let gateway)):
      takeVerdicts(gateway.inputEnded(at: now), of: connection)
    case ("shutdown", .gateway(let gateway)): takeVerdicts(gateway.shutdown(at: now), of: connection)
    case ("linesSent", .device(let device)): device.skipLines(facts.count, at: now)
    case ("deviceSilent", .device(let device)): device.silent(for: Int64(facts.count), at: now)
    default: break
    }
  }
}

/// The members of the rarer inputs.
private struct OtherInput {
  var connection: ConnectionID?
  var listener: Listener
  var ordinal: UInt32
  var peer: String
  var reason: String
  var subject: String
  var provider: ProviderIdentity?
  var count: Int

  init(_ fields: borrowing LineFields) {
    connection = fields.string("connection").flatMap { ConnectionID($0) }
    listener = fields.string("listener").flatMap(Listener.init(rawValue:)) ?? .gateway
    ordinal = fields.int("ordinal").flatMap { UInt32(exactly: $0) } ?? 0
    peer = fields.string("peer") ?? ""
    reason = fields.string("reason") ?? ""
    subject = fields.string("subject") ?? ""
    provider = fields.value("provider").map { ProviderIdentity($0) }
    count = Int(clamping: fields.int("count") ?? fields.int("seconds") ?? 0)
  }
}
