package import APNSimCapture
package import APNSimCore
import APNSimScenario
import APNSimWire
import NIOCore

/// Acts as the captured providers against a gateway: one connection for each of the capture's, in its order; compares
/// the answers with the captured ones.
///
/// The order between connections is kept: where the capture has an answer, the replay waits for one before it goes on,
/// because what a provider did next may have been because of it.
package struct NetworkReplay {
  package struct Options: Sendable {
    package var pace = ReplayPace.asCaptured
    /// Joins bytes into writes as large as a TLS record, instead of cutting them as captured.
    package var isJoined = false
    /// The longest wait for an answer or an end that the capture has.
    package var patience = Duration.seconds(5)
    /// The longest wait for the service's end after the last bytes.
    package var silence = Duration.milliseconds(CapturedEnd.silence.milliseconds)
    /// Pauses until something is due.
    package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Advice about a connection that was not made, a line each; `isFirst` is true until a gateway has accepted one.
    package var hints: @Sendable (_ failure: ProviderFailure, Listener, _ isFirst: Bool) -> [String] = {
      _,
      _,
      _ in []
    }
    /// Receives the share of the capture that has been played, from 0 to 1.
    package var progress: @Sendable (Double) -> Void = { _ in }

    package init() {}
  }

  /// Nil where the capture's gateway connections are left out.
  let gateway: ProviderTarget?
  let feedback: ProviderTarget?
  var requestService: Requests?
  var options: Options
  var report = NetworkReplayReport()
  var open: [ConnectionID: ReplayedConnection] = [:]
  /// The connection whose bytes are gathered into one write; it is flushed before another connection's.
  private var writing: ConnectionID?
  var requests: [ConnectionID: ReplayedRequests] = [:]
  /// The connection of requests whose turn it is; its answers are waited for before another connection goes on.
  var turn: ConnectionID?
  /// The first and the last line that were played, by the wall's clock.
  private var start: Timestamp?
  private var lastTime: Timestamp?
  /// True for a simulator's own recording, which shows who ended a connection, and that it had read everything.
  private(set) var isRecording = false
  /// The connections whose beginnings have been played.
  var begun = ConnectionNumbers()
  /// The connections whose ends have been played.
  var ended = ConnectionNumbers()
  /// The connections of which something was not sent.
  var omitted = ConnectionNumbers()
  let clock = ContinuousClock()
  private var began: ContinuousClock.Instant

  private static let joinedSize = 16 * 1024

  /// - Parameters:
  ///   - gateway: where the capture's gateway connections go; nil leaves them out.
  ///   - feedback: where feedback is read; nil leaves those connections out.
  ///   - requests: where connections of HTTP/2 go; nil leaves them out.
  package init(
    gateway: ProviderTarget?,
    feedback: ProviderTarget?,
    requests: Requests? = nil,
    _ options: Options
  ) {
    self.gateway = gateway
    self.feedback = feedback
    requestService = requests
    self.options = options
    began = clock.now
  }

  /// Plays a capture to its end, or until its task is cancelled: what was compared by then is in the report.
  /// - Throws: `ProviderFailure` when the gateway cannot be reached.
  package mutating func run(_ reader: CaptureReader) async throws -> NetworkReplayReport {
    began = clock.now
    isRecording = reader.header.source == nil
    if reader.header.isVirtual, options.pace != .maximum {
      options.pace = .maximum
      note("the capture's clock was virtual: it is replayed without pauses")
    }
    do {
      try await playAll(reader)
    } catch {
      for id in open.keys.sorted() { await open[id]?.close() }
      for id in requests.keys.sorted() { await requests[id]?.close(isComplete: false) }
      guard error is CancellationError else { throw error }
      for connection in open.values { report.leave(connection) }
      report.leave(connections: requests.count)
      report.stoppedAfter = lastTime.flatMap { last in start.map { last - $0 } } ?? .zero
    }
    if let gaps = reader.gaps.placedText {
      note("\(gaps): differences from there on may come from that")
    }
    if let damage = reader.damage {
      note("damage: \(damage); everything before it was replayed")
    }
    return report
  }

  private mutating func playAll(_ reader: CaptureReader) async throws {
    var count = 0
    var last = Timestamp(rawValue: .min)
    var ahead = LookAhead(reader)
    while let item = ahead.next() {
      try await keepPace(item.wall, reader)
      try await play(item)
      lastTime = item.wall
      try Task.checkCancellation()
      last = max(last, item.entry.time)
      count += 1
      if count % 256 == 0, let share = reader.progress { options.progress(share) }
    }
    if ahead.lateStreams > 0 {
      note("\(Number.counted(ahead.lateStreams, "stream")) opened after streams with higher numbers")
    }
    let ending = reader.damage == nil ? CapturedEnd.nobody : .unknown
    for id in open.keys.sorted() { try await end(id, ending, at: last) }
    for id in requests.keys.sorted() { try await endRequests(id, ending) }
    try report.requireReached()
  }

  /// - Parameter time: by the wall's clock.
  private mutating func keepPace(_ time: Timestamp, _ reader: CaptureReader) async throws {
    let first = start ?? time
    start = first
    let due = options.pace.due(time, from: first)
    guard due > clock.now - began else { return }
    await flushWrites()
    if let share = reader.progress { options.progress(share) }
    let wait = due - (clock.now - began)
    if wait > .zero { try await options.pause(wait) }
  }

  private mutating func play(_ item: LookAhead.Item) async throws {
    let entry = item.entry
    if let (id, evidence) = item.request {
      if !begun.contains(id) { try await connectInside(id, topic: nil, at: entry.time) }
      return try await play(evidence, item, on: id)
    }
    switch entry.kind {
    case .connectionOpened(let captured): try await connect(captured, at: entry.time)
    case .bytesIn(let id, let bytes, let dropped, let notification):
      if notification != nil, !begun.contains(id) {
        try await connectInside(id, topic: item.topic ?? "", at: entry.time)
      }
      if ended.contains(id) {
        // Bytes that form no frame are recorded after the end that they preceded.
        let size = Number.counted(bytes.count, "byte")
        if notification == nil {
          note("\(id): \(size) after its end were left out")
        } else {
          let isRequest = CapturedRequest.stream(of: bytes) != nil
          omit("a notification after the connection's end", of: id, isRequest ? .http2 : .gateway)
        }
      }
      guard let connection = open[id], !connection.isBroken else { return }
      guard !connection.hasFinished else {
        // A journal records them after the end that they preceded.
        let size = Number.counted(bytes.count, "byte")
        return note("\(id): \(size) that form no frame were left out")
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
      connection.sides.lastWrite = entry.time
      if !options.isJoined, read == 0 { await connection.flush(within: options.patience) }
      if dropped > 0 { await lose(connection, dropped) }
    case .bytesOut(let id, let bytes):
      guard let connection = open[id], connection.sides.gaps.isEmpty else { return }
      await flush()
      connection.expect(bytes)
      guard !connection.isLate else { return }
      connection.isLate =
        !(await connection.wait(forBytes: connection.expected.count, within: options.patience))
    case .stream(let id, let happening): await play(happening, on: id)
    case .bytesMissing(let id, let direction, let count):
      if let connection = requests[id] {
        connection.gaps.insert(.answers)
        note("\(id) is not compared: the capture lacks some of it")
      }
      guard let connection = open[id] else { return }
      if direction == .in {
        await lose(connection, count)
      } else {
        connection.sides.gaps.insert(.answers)
        note("\(id) is not compared: the capture lacks some of what its provider was sent")
      }
    case .framesFound(let id): try await resume(id, at: entry.time)
    case .captureEnded: await flush()
    case .inputEnded(let id):
      await flush()
      open[id]?.finish()
    case .connectionClosed(let id, let reason, let byService) where requests[id] != nil:
      await flush()
      try await endRequests(id, CapturedEnd(reason, byService: byService))
    case .connectionClosed(let id, let reason, let byService):
      try await end(id, CapturedEnd(reason, byService: byService), at: entry.time)
    case .other("connectionRefused"): skip("connections that were refused in the capture")
    case .other("shutdown"):
      leaveToOperator(item.ended)
    case .other("faultFired"):
      if let (id, frame) = item.fault { await play(frame, on: id) }
    case .command(let json): leaveToOperator(CommandReader.endedConnection(in: json))
    case .other: return
    }
  }

  /// A gap: the next frame's start is unknown, and guessing would invent traffic.
  private mutating func lose(_ connection: ReplayedConnection, _ count: Int) async {
    await connection.flush(within: options.patience)
    connection.sides.gaps.insert(.input)
    let size = count > 0 ? Number.counted(count, "byte") : "an unknown number of bytes"
    note("\(connection.captured.id) was replayed up to a gap of \(size) and is not compared")
  }

  mutating func skip(_ reason: String) {
    report.skipped += 1
    note("left out: \(reason)")
  }

  mutating func note(_ text: String) { report.note(text) }

  /// Sends what waits, and waits for the answers to the requests that were sent last.
  mutating func flush() async {
    await flushWrites()
    guard let id = turn else { return }
    turn = nil
    await requests[id]?.settle(within: options.silence)
  }

  private mutating func flushWrites() async {
    guard let id = writing else { return }
    writing = nil
    await open[id]?.flush(within: options.patience)
  }
}
