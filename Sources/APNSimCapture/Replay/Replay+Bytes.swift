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
    if notification != nil, !isExact, connections.isNew(id) { openBefore(id, entry) }
    guard let connection = connection(id) else { return }
    if case .device(let device) = connection.door {
      flush()
      receive(bytes, dropped, from: device, entry)
      return
    }
    guard !connection.isBroken else { return }
    if let notification, verdicts.areFollowed { connection.add(pending: notification) }
    if case .http2(let requests) = connection.door {
      flush()
      guard let request = ProviderRequest(evidence: bytes) else {
        return comparison.addUnread(on: connection)
      }
      let actions = requests.receive([request], read: notification?.read ?? 0, at: wall(entry))
      takeVerdicts(.none, of: connection, at: entry.time)
      return connection.addReplayed(actions)
    }
    guard case .gateway(let gateway) = connection.door else { return comparison.addUnread(on: connection) }
    let read = notification?.read ?? 0
    if batch.portions != .reads || !batch.joins(id, entry.time, read, bytes.count) {
      flush()
      batch.begin(connection, entry.time, read)
    }
    bytes.withUnsafeBytes { batch.gathered.append($0) }
    if batch.portions != .reads { handIn(notification) }
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
      connection.sides.gaps.insert(.input)
    }
  }

  /// Hands a line's bytes in before the next line is read, which has the consequences: tokens that were issued, and
  /// whether this one had been.
  private func handIn(_ notification: CapturedNotification?) {
    if batch.portions == .linesWithVerdicts, let notification {
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
    guard batch.portions == .reads else { return false }
    if !batch.joins(line.connection, line.time, line.facts.read, Base64.room(for: line.raw)) {
      return begin(line)
    }
    guard batch.gathered.append(base64: line.raw) else { return false }
    compareLine()
    if verdicts.areFollowed { batch.connection?.add(pending: line.facts) }
    return true
  }

  /// Begins a batch with a line. Handing in the previous batch may look ahead in the file, which invalidates the line:
  /// its bytes are read, and it is compared, before that.
  private func begin(_ line: NotificationLine) -> Bool {
    guard let connection = connections[line.connection], case .gateway = connection.door,
      !connection.isBroken
    else { return false }
    guard batch.next.append(base64: line.raw) else { return false }
    compareLine()
    flush()
    batch.begin(connection, line.time, line.facts.read)
    if verdicts.areFollowed { connection.add(pending: line.facts) }
    return true
  }

  /// Hands in the gathered bytes.
  func flush() {
    guard let connection = batch.connection else { return }
    batch.end()
    guard case .gateway(let gateway) = connection.door else { return }
    hand(batch.gathered.bytes, to: gateway, of: connection, read: batch.read, at: batch.time)
    connections.deliverDue(at: batch.time)
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
    connection.sides.lastWrite = time
    var rest = bytes[...]
    repeat {
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(batch.mostAtOnce))
      rest = rest.dropFirst(part.count)
      takeVerdicts(gateway.receive(part, read: read, at: now), of: connection, at: time)
    } while !rest.isEmpty
  }

  /// - Parameter time: the capture's time.
  func takeVerdicts(_ action: GatewayAction, of connection: ReplayConnection, at time: Timestamp) {
    connection.addReplayed(action, at: time)
    guard verdicts.areFollowed else { return verdicts.count() }
    let answer = Array(action.records.joined())
    for verdict in verdicts.take() {
      let notification = replayed(verdict, answer, on: connection)
      comparison.add(notification, on: connection)
      verdicts.show(notification, on: connection)
    }
    // A notification that exceeds one portion will not be read.
    if connection.pendingCount > ReplayBatch.most { comparison.addUnread(on: connection) }
  }

  private func replayed(
    _ verdict: NotificationVerdict,
    _ answer: [UInt8],
    on connection: ReplayConnection
  ) -> ReplayedNotification {
    var notification = ReplayedNotification(
      connection: connection.name,
      verdict: verdict,
      recorded: connection.takePending(),
      answer: [],
      isCompared: comparison.extent != .nothing && !connection.sides.gaps.contains(.beginning)
    )
    if verdict.outcome == .rejected {
      notification.answer = answer.isEmpty ? connection.pendingResponse : answer
      notification.answerWaits = answer.isEmpty && !notification.answer.isEmpty
      connection.lastNotification = notification.number
    }
    return notification
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
    guard let connection = connection(id) else { return comparison.noteRecordedAnswers() }
    if answer == .feedback, isExact {
      flush()
      if case .feedback(let feedback) = connection.door {
        let now = wall(reaching: time)
        connection.sides.answers.addReplayed(feedback.nextChunk(maximumBytes: bytes.count, at: now))
      }
    }
    if case .device = connection.door { return }
    comparison.noteRecordedAnswers()
    connection.sides.addRecordedAnswer()
    connection.sides.answers.addRecorded(bytes)
  }
}
