import APNSimCore
import APNSimWire

/// Bytes of a capture's connections, from and to providers and devices.
extension Replay {
  func receive(
    _ bytes: [UInt8],
    _ dropped: Int,
    _ notification: CapturedNotification?,
    from id: ConnectionID,
    _ entry: CaptureEntry
  ) {
    if notification != nil, !isExact, connections[id] == nil, !unbegun.contains(id) { openBefore(id, entry) }
    guard let connection = connection(id) else { return }
    if case .device(let device) = connection.door {
      flush()
      receive(bytes, dropped, from: device, entry)
      return
    }
    guard !connection.isBroken else { return }
    if let notification, followsVerdicts { connection.add(pending: notification) }
    if case .http2(let requests) = connection.door {
      flush()
      guard let request = ProviderRequest(evidence: bytes) else { return differUnread(on: connection) }
      let actions = requests.receive([request], read: notification?.read ?? 0, at: wall(entry))
      takeVerdicts(.none, of: connection, at: entry.time)
      return connection.addReplayed(actions)
    }
    guard case .gateway(let gateway) = connection.door else { return differUnread(on: connection) }
    let read = notification?.read ?? 0
    if takesSingly || !batch.joins(id, entry.time, read, bytes.count) {
      flush()
      batch.begin(connection, entry.time, read)
    }
    bytes.withUnsafeBytes { batch.append($0) }
    if takesSingly { handIn(notification) }
    guard dropped > 0 else { return }
    flush()
    // Their values decided nothing: they belonged to a frame that was never whole, or to none.
    let zeros = gateway.isUnreadable ? 0 : min(dropped, FrameDecoder.maximumByteCount)
    [UInt8](repeating: 0, count: zeros).withUnsafeBytes {
      hand($0, to: gateway, of: connection, read: read, at: entry.time)
    }
    if gateway.isUnreadable {
      gateway.receiveUnreadable(dropped - zeros)
    } else if dropped > zeros {
      note(missing: dropped - zeros, .in)
      connection.isBroken = true
    }
  }

  /// Hands a line's bytes in before the next line is read, which has the consequences: tokens that were issued, and
  /// whether this one had been.
  private func handIn(_ notification: CapturedNotification?) {
    if provesTokens, let notification {
      issuer.isTokenGood =
        !(notification.outcome == .rejected && notification.status == StatusCode.invalidToken.rawValue)
    }
    flush()
    issuer.isTokenGood = nil
  }

  func note(missing count: Int, _ direction: CaptureDirection) {
    let count = UInt64(max(0, count))
    switch direction {
    case .in: result.missingBytes.add(saturating: count)
    case .out: result.missingAnswerBytes.add(saturating: count)
    }
  }

  /// Takes a notification of a gateway connection in the simulator's own spelling.
  /// - Returns: false where it has to be read as an entry.
  @inline(__always)
  func receive(_ line: NotificationLine) -> Bool {
    guard !takesSingly else { return false }
    if !batch.joins(line.connection, line.time, line.facts.read, Base64.room(for: line.raw)) {
      return begin(line)
    }
    guard batch.append(base64: line.raw) else { return false }
    compareLine()
    if followsVerdicts { batch.connection?.add(pending: line.facts) }
    return true
  }

  /// Begins a batch with a line. Handing in the previous batch may look ahead in the file, which invalidates the line:
  /// its bytes are read, and it is compared, before that.
  private func begin(_ line: NotificationLine) -> Bool {
    guard let connection = connections[line.connection], case .gateway = connection.door,
      !connection.isBroken
    else { return false }
    scratch.removeAll()
    guard scratch.append(base64: line.raw) else { return false }
    compareLine()
    flush()
    batch.begin(connection, line.time, line.facts.read)
    batch.append(scratch.bytes)
    if followsVerdicts { connection.add(pending: line.facts) }
    return true
  }

  /// Hands in the gathered bytes.
  func flush() {
    guard let connection = batch.connection else { return }
    batch.end()
    guard case .gateway(let gateway) = connection.door else { return }
    hand(batch.bytes, to: gateway, of: connection, read: batch.read, at: batch.time)
    noteDueAnswers(at: batch.time)
  }

  /// Verdicts are read after each part, which must not have more notifications than the history keeps.
  private func hand(
    _ bytes: UnsafeRawBufferPointer,
    to gateway: GatewayConnection,
    of connection: ReplayConnection,
    read: UInt32,
    at time: Timestamp
  ) {
    let now = wall(reaching: time)
    connection.lastWrite = time
    var rest = bytes[...]
    repeat {
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(mostAtOnce))
      rest = rest.dropFirst(part.count)
      takeVerdicts(gateway.receive(part, read: read, at: now), of: connection, at: time)
    } while !rest.isEmpty
  }

  /// - Parameter time: the capture's time.
  func takeVerdicts(_ action: GatewayAction, of connection: ReplayConnection, at time: Timestamp) {
    let records = action.records
    for record in records { connection.addReplayed(record, at: time) }
    connection.note(action.ending, at: time)
    guard followsVerdicts else {
      nextVerdict = simulator.countOutcomes(from: nextVerdict, into: &counts)
      return
    }
    let answer = Array(records.joined())
    let verdicts = simulator.verdicts(from: nextVerdict)
    for verdict in verdicts {
      let recorded = connection.takePending()
      var notification = ReplayedNotification(
        connection: connection.name,
        verdict: verdict,
        recorded: recorded,
        answer: [],
        isCompared: !isBehindGap && !connection.wasOpenBefore
      )
      if verdict.outcome == .rejected {
        notification.answer = answer.isEmpty ? connection.pendingResponse : answer
        notification.answerWaits = answer.isEmpty && !notification.answer.isEmpty
        connection.lastNotification = notification.number
      }
      numbers.add(verdict.number, recordedAs: notification.number)
      counts[Int(verdict.outcome.rawValue)] += 1
      // Where the journal is compared, verdicts are part of it.
      if !notification.isSame, !result.comparesJournal { differ(notification, on: connection) }
      beginUnanswered(notification, on: connection)
      show(notification, on: connection)
    }
    nextVerdict = (verdicts.last?.number).map { $0 + 1 } ?? nextVerdict
    // What exceeds one portion will not be read.
    if connection.pendingCount > ReplayBatch.most { differUnread(on: connection) }
  }

  private func receive(_ bytes: [UInt8], _ dropped: Int, from device: DeviceConnection, _ entry: CaptureEntry)
  {
    // A line was recorded without its end; one that never ended, with its beginning only.
    let endless = min(dropped, simulator.configuration.limits.deviceLine + 1)
    let line = dropped > 0 ? bytes + [UInt8](repeating: 0x78, count: endless) : bytes + [0x0A]
    let now = wall(entry)
    line.withUnsafeBytes { device.receive($0, at: now) }
  }

  /// Takes recorded bytes to a provider.
  func answered(
    _ bytes: [UInt8],
    _ answer: CaptureEntry.Answer,
    on id: ConnectionID,
    at time: Timestamp
  ) {
    guard let connection = connection(id) else {
      result.hasRecordedAnswers = true
      return
    }
    if answer == .feedback, isExact {
      flush()
      if case .feedback(let feedback) = connection.door {
        let now = wall(reaching: time)
        connection.answers.addReplayed(feedback.nextChunk(maximumBytes: bytes.count, at: now))
      }
    }
    if case .device = connection.door { return }
    seeAnswers(of: connection)
    connection.hasRecordedAnswer = true
    connection.answers.addRecorded(bytes)
  }

  /// Takes delayed answers that were released by the last input.
  @inline(__always)
  func noteDueAnswers(at time: Timestamp) {
    for (id, actions) in outlet.takeAnswers() {
      byReplayID[id].flatMap { connections[$0] }?.addReplayed(actions)
    }
    for (id, action) in outlet.take() {
      guard let name = byReplayID[id], let connection = connections[name] else { continue }
      for record in action.records { connection.addReplayed(record, at: time) }
      connection.note(action.ending, at: time)
    }
  }
}
