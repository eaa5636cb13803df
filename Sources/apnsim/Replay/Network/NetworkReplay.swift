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
  private var start: Timestamp?
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
    var count = 0
    do {
      while let entry = reader.next() {
        try await keepPace(entry.time)
        try await play(entry)
        count += 1
        if count % 256 == 0, let share = reader.progress { options.progress(share) }
      }
      for id in open.keys.sorted() { await end(id, .peerClosed, isRecorded: false) }
    } catch {
      for id in open.keys.sorted() { await open[id]?.close() }
      throw error
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
    await flushAll()
    try await options.pause(wait)
  }

  private mutating func play(_ entry: CaptureEntry) async throws {
    switch entry.kind {
    case .connectionOpened(let captured): try await connect(captured)
    case .bytesIn(let id, let bytes, let dropped, let notification):
      guard let connection = open[id], !connection.isBroken else { return }
      let read = notification?.read ?? 0
      let isSameWrite = options.isJoined || (read > 0 && read == connection.pendingRead)
      if !isSameWrite || connection.pending.count + bytes.count > Self.joinedSize {
        await connection.flush(within: options.patience)
      }
      connection.pending += bytes
      connection.pendingRead = read
      if !options.isJoined, read == 0 { await connection.flush(within: options.patience) }
      if dropped > 0 { await lose(connection, dropped) }
    case .bytesOut(let id, let bytes):
      guard let connection = open[id], !connection.isBroken, !connection.isAnswerUnknown else { return }
      await flushAll()
      connection.expected += bytes
      guard !connection.isLate else { return }
      connection.isLate =
        !(await connection.wait(forBytes: connection.expected.count, within: options.patience))
    case .bytesMissing(let id, let direction, let count):
      guard let connection = open[id] else { return }
      if direction == .out { connection.isAnswerUnknown = true } else { await lose(connection, count) }
    case .connectionClosed(let id, let reason): await end(id, reason, isRecorded: true)
    case .command, .other: return
    }
  }

  private mutating func connect(_ captured: CapturedConnection) async throws {
    await flushAll()
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

  private func flushAll() async {
    for id in open.keys.sorted() { await open[id]?.flush(within: options.patience) }
  }

  private mutating func end(_ id: ConnectionID, _ reason: ClosingReason, isRecorded: Bool) async {
    await flushAll()
    guard let connection = open.removeValue(forKey: id) else { return }
    let isServiceFirst = isRecorded && [.simulatorClosed, .drained, .timedOut].contains(reason)
    if !isServiceFirst { connection.finish() }
    let hasEnded = await connection.waitForEnd(within: options.patience)
    await connection.close()
    report.bytesSent += connection.bytesSent
    guard !connection.isBroken, !connection.isAnswerUnknown else { return }
    compare(connection, isEndMissing: isServiceFirst && !hasEnded)
  }

  private mutating func compare(_ connection: ReplayedConnection, isEndMissing: Bool) {
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
      if recorded.map(\.token) != replayed.map(\.token) {
        difference.summary = "another feedback list came back"
        difference.recorded = ReplayDifference.text(feedback: recorded)
        difference.replayed = ReplayDifference.text(feedback: replayed)
      } else if recorded != replayed {
        note("feedback lists have the recorded tokens at other times")
      }
    } else if connection.received != connection.expected {
      difference.summary = "another answer came back after \(Number.counted(connection.bytesSent, "byte"))"
      difference.recorded = ReplayDifference.text(gateway: connection.expected)
      difference.replayed = ReplayDifference.text(gateway: connection.received)
    }
    if difference.summary.isEmpty, isEndMissing {
      difference.summary = "the service did not end the connection"
      difference.recorded = ["ended by the service"]
      difference.replayed = ["still open after \(options.patience)"]
    }
    if difference.summary.isEmpty {
      report.same += 1
      return
    }
    if let failure = connection.failure { difference.replayed.append("(\(failure))") }
    if report.differences.count < NetworkReplayReport.mostDifferences {
      report.differences.append(difference)
    } else {
      report.moreDifferences += 1
    }
  }
}
