import APNSimCore
import APNSimScenario
import APNSimWire
import NIOCore

/// Acts as the captured providers against a gateway: one connection for each of the capture's, in its order, and compares
/// what comes back with what came back then.
///
/// The order between connections is kept: where the capture has an answer, the replay waits for one before it goes on,
/// because what a provider did next may have been because of it.
struct NetworkReplay {
  struct Options: Sendable {
    var pace = ReplayPace.asCaptured
    /// Writes as large as a TLS record, rather than as the capture has them.
    var isJoined = false
    /// How long an answer or an end that the capture has may take.
    var patience = Duration.seconds(5)
    /// So long behind the last bytes an end by the service is waited for.
    var silence = Duration.milliseconds(CapturedEnd.silence.milliseconds)
    /// Pauses until something is due.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Hears how much of the capture has been played, from 0 to 1.
    var progress: @Sendable (Double) -> Void = { _ in }
  }

  private let gateway: ProviderTarget
  private let feedback: ProviderTarget?
  private let options: Options
  private var report = NetworkReplayReport()
  private var open: [ConnectionID: ReplayedConnection] = [:]
  /// The connection whose bytes are gathered into one write: before those of another one it is sent.
  private var writing: ConnectionID?
  private var start: Timestamp?
  /// Whether a simulator recorded the capture: it knows who ended a connection, and that it had read everything.
  private var isRecording = false
  private let clock = ContinuousClock()
  private var began: ContinuousClock.Instant

  private static let joinedSize = 16 * 1024
  /// Sockets are bounded, whatever a capture says.
  private static let mostConnections = 1000

  /// - Parameter feedback: where feedback is read; nil leaves those connections out.
  init(gateway: ProviderTarget, feedback: ProviderTarget?, _ options: Options) {
    self.gateway = gateway
    self.feedback = feedback
    self.options = options
    began = clock.now
  }

  /// Plays a capture to its end.
  /// - Throws: `CommandFailure` when the gateway cannot be reached.
  mutating func run(_ reader: CaptureReader) async throws -> NetworkReplayReport {
    began = clock.now
    isRecording = reader.header.source == nil
    var count = 0
    var last = Timestamp(rawValue: .min)
    do {
      while let entry = reader.next() {
        try await keepPace(entry.time)
        try await play(entry)
        last = max(last, entry.time)
        count += 1
        if count % 256 == 0, let share = reader.progress { options.progress(share) }
      }
      let ending = reader.damage == nil ? CapturedEnd.nobody : .unknown
      for id in open.keys.sorted() { await end(id, ending, at: last) }
    } catch {
      for id in open.keys.sorted() { await open[id]?.close() }
      throw error
    }
    if let gaps = reader.gaps.summary {
      report.notes.append("\(gaps): what is different from there on may be for want of it")
    }
    if let damage = reader.damage {
      report.notes.append("damage: \(damage); what stands before it was replayed")
    }
    return report
  }

  private mutating func keepPace(_ time: Timestamp) async throws {
    let first = start ?? time
    start = first
    let wait = options.pace.due(time, from: first) - (clock.now - began)
    guard wait > .zero else { return }
    await flush()
    try await options.pause(wait)
  }

  private mutating func play(_ entry: CaptureEntry) async throws {
    switch entry.kind {
    case .connectionOpened(let captured): try await connect(captured, at: entry.time)
    case .bytesIn(let id, let bytes, let dropped, let notification):
      guard let connection = open[id], !connection.isBroken else { return }
      guard !connection.hasFinished else {
        // A journal has them behind the end that they came before.
        let size = Number.counted(bytes.count, "byte")
        return note("\(id): \(size) of which no frame can be made were left out")
      }
      if writing != id { await flush() }
      writing = id
      let read = notification?.read ?? 0
      let isSameWrite = options.isJoined || (read > 0 && read == connection.pendingRead)
      if !isSameWrite || connection.pending.count + bytes.count > Self.joinedSize {
        await connection.flush(within: options.patience)
      }
      connection.pending += bytes
      connection.pendingRead = read
      connection.lastWrite = entry.time
      if !options.isJoined, read == 0 { await connection.flush(within: options.patience) }
      if dropped > 0 { await lose(connection, dropped) }
    case .bytesOut(let id, let bytes):
      guard let connection = open[id], !connection.isBroken, !connection.isAnswerUnknown else { return }
      await flush()
      connection.expect(bytes)
      guard !connection.isLate else { return }
      connection.isLate =
        !(await connection.wait(forBytes: connection.expected.count, within: options.patience))
    case .bytesMissing(let id, let direction, let count):
      guard let connection = open[id] else { return }
      if direction == .in {
        await lose(connection, count)
      } else {
        connection.isAnswerUnknown = true
        note("\(id) is not compared: the capture lacks some of what its provider was sent")
      }
    case .framesFound(let id):
      // Where nothing has been written yet, the frames that follow are good by themselves.
      guard let connection = open[id], connection.isBroken, connection.bytesSent == 0,
        connection.pending.isEmpty
      else { return }
      (connection.isBroken, connection.isAnswerUnknown) = (false, true)
    case .captureEnded: await flush()
    case .inputEnded(let id):
      await flush()
      open[id]?.finish()
    case .connectionClosed(let id, let reason): await end(id, CapturedEnd(reason), at: entry.time)
    case .command, .other: return
    }
  }

  private mutating func connect(_ captured: CapturedConnection, at time: Timestamp) async throws {
    await flush()
    let target: ProviderTarget
    switch captured.listener {
    case .gateway: target = gateway
    case .feedback:
      guard let feedback else {
        return skip(captured, "captured feedback connections")
      }
      target = feedback
    case .device: return skip(captured, "devices' connections, which are not a provider's")
    }
    guard open.count < Self.mostConnections else {
      return skip(captured, "connections beyond \(Self.mostConnections) at once")
    }
    if let known = open.removeValue(forKey: captured.id) { await known.close() }
    open[captured.id] = try await ReplayedConnection(
      captured,
      at: time,
      to: target,
      timeout: .nanoseconds(
        Int64(clamping: options.patience.components.seconds) * 1_000_000_000 + 1_000_000_000
      )
    )
    if captured.listener == .feedback { report.feedbackConnections += 1 } else { report.connections += 1 }
  }

  private mutating func skip(_ captured: CapturedConnection, _ reason: String) {
    report.skipped += 1
    note("left out: \(reason)")
  }

  /// A gap: where the next frame begins is not known, and guessing would invent traffic.
  private mutating func lose(_ connection: ReplayedConnection, _ count: Int) async {
    await connection.flush(within: options.patience)
    connection.isBroken = true
    let size = count > 0 ? Number.counted(count, "byte") : "an unknown number of bytes"
    note("\(connection.captured.id) was replayed up to a gap of \(size) and is not compared")
  }

  private mutating func note(_ text: String) {
    if !report.notes.contains(text), report.notes.count < 100 { report.notes.append(text) }
  }

  private mutating func flush() async {
    guard let id = writing else { return }
    writing = nil
    await open[id]?.flush(within: options.patience)
  }

  private mutating func end(_ id: ConnectionID, _ captured: CapturedEnd, at time: Timestamp) async {
    await flush()
    guard let connection = open.removeValue(forKey: id) else { return }
    let ending = hasOtherCause(captured, of: connection, at: time) ? .unknown : captured
    let isCompared = isComparable(connection)
    let endsEarly = isCompared ? await endsEarly(connection, ending, at: time) : false
    if ending != .service { connection.finish() }
    let hasEnded = await connection.waitForEnd(within: options.patience)
    await connection.close()
    report.bytesSent += connection.bytesSent
    report.bytesUnsent += connection.bytesUnsent
    guard isCompared else {
      report.uncompared += 1
      return
    }
    let otherEnd: String? =
      if endsEarly {
        "the service ended the connection after \(Number.counted(connection.bytesSentAtEnd, "byte"))"
      } else if ending == .service, !hasEnded {
        "the service did not end the connection"
      } else {
        nil
      }
    compare(connection, ending, otherEnd)
  }

  /// Whether the capture has everything that came and went, and the gateway's side at all.
  private mutating func isComparable(_ connection: ReplayedConnection) -> Bool {
    guard !connection.isBroken, !connection.isAnswerUnknown else { return false }
    guard !isRecording, !connection.captured.areAnswersSeen, connection.expected.isEmpty else { return true }
    note("\(connection.captured.id) is not compared: the capture does not have what came back")
    return false
  }

  /// Whether the captured service ended a connection for something else than what came on it.
  private func hasOtherCause(
    _ ending: CapturedEnd,
    of connection: ReplayedConnection,
    at time: Timestamp
  ) -> Bool {
    ending == .service && !isRecording && connection.captured.listener == .gateway
      && connection.expected.isEmpty
      && time - connection.lastWrite > CapturedEnd.latestRefusal
  }

  /// Whether the service has ended a connection before its provider did, and in the capture it had not.
  ///
  /// Behind an answer the end is the service's, and a feedback service ends when its list is read. A provider that did
  /// not wait for a refusal does not show that there was none, unless a simulator says so.
  private func endsEarly(_ connection: ReplayedConnection, _ ending: CapturedEnd, at time: Timestamp) async
    -> Bool
  {
    guard ending.excludesService, connection.captured.listener == .gateway, connection.expected.isEmpty
    else { return false }
    let wasSilent =
      isRecording || Duration.milliseconds((time - connection.lastWrite).milliseconds) >= options.silence
    let hasEnded =
      wasSilent
      ? await connection.waitForEnd(within: options.silence - (clock.now - connection.lastFlush)) : false
    return hasEnded || connection.bytesUnsent > 0
  }

  private mutating func compare(_ connection: ReplayedConnection, _ ending: CapturedEnd, _ otherEnd: String?)
  {
    let captured = connection.captured
    var difference = ReplayDifference(
      connection: captured.id.description,
      listener: captured.listener,
      topic: captured.provider.topic,
      summary: "",
      recorded: [],
      replayed: []
    )
    if captured.listener == .feedback {
      let (recorded, replayed) = (
        FeedbackTupleDecoder.tuples(in: connection.expected),
        FeedbackTupleDecoder.tuples(in: connection.received)
      )
      let common = zip(recorded, replayed).prefix { $0.token == $1.token }.count
      if common < max(recorded.count, replayed.count) || connection.isOverflowing {
        difference.summary = "another feedback list came back"
        if common > 0 { difference.summary += " behind \(Number.counted(common, "same tuple"))" }
        difference.recorded = ReplayDifference.text(feedback: recorded[common...])
        difference.replayed = ReplayDifference.text(feedback: replayed[common...])
      } else if recorded != replayed {
        note("feedback lists have the recorded tokens at other times")
      }
    } else if connection.received != connection.expected {
      let common = zip(connection.expected, connection.received).prefix { $0 == $1 }.count
      let whole = common - common % ErrorResponse.byteCount
      difference.summary = "another answer came back after \(Number.counted(connection.bytesSent, "byte"))"
      if whole > 0 { difference.summary += ", behind \(Number.counted(whole, "byte")) of the recorded one" }
      difference.recorded = ReplayDifference.text(gateway: connection.expected[whole...])
      difference.replayed = ReplayDifference.text(gateway: connection.received[whole...])
    }
    if !difference.summary.isEmpty, connection.isOverflowing {
      difference.replayed.append("(more came, which was not read)")
    }
    if difference.summary.isEmpty, let otherEnd {
      difference.summary = otherEnd
      difference.recorded = ending.text.map { [$0] } ?? []
      difference.replayed = [
        ending == .service ? "still open after \(options.patience)" : "ended by the service"
      ]
    }
    if difference.summary.isEmpty {
      report.same += 1
      return
    }
    if connection.bytesUnsent > 0 {
      difference.replayed.append("(\(Number.counted(connection.bytesUnsent, "byte")) could not be sent)")
    }
    if let failure = connection.failure { difference.replayed.append("(\(failure))") }
    if report.differences.count < NetworkReplayReport.mostDifferences {
      report.differences.append(difference)
    } else {
      report.moreDifferences += 1
    }
  }
}
