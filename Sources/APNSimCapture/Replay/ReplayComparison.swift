import APNSimCore

/// The comparison of a replay with its recording.
struct ReplayComparison {
  /// The extent of the present comparison.
  enum Extent {
    /// The lines of the journal.
    case journal
    /// Verdicts, answers and ends.
    case answers
    /// Nothing: the effects of missing lines are not known.
    case nothing
  }

  private(set) var extent: Extent
  private(set) var tally = ComparisonTally<ReplayDifference>(mostKept: 1)
  /// Nil where no lines are compared.
  private let journal: LineComparison?

  /// - Parameter journal: gets the replay's lines, where they are compared.
  init(_ extent: Extent, journal: LineComparison?) { (self.extent, self.journal) = (extent, journal) }

  // MARK: Lines

  @inline(__always)
  var comparesLines: Bool { journal != nil }

  /// True where the journal was compared all along, or up to a line that differs.
  var comparesJournal: Bool { extent == .journal || parting != nil }

  /// The first line that differs.
  private var parting: LineComparison.Parting? { journal?.parting }

  /// The number of recorded bytes that the replay has not reached.
  var recordedAhead: Int { journal?.recordedAhead ?? 0 }

  /// True where the recording has no more lines and the replay has.
  var isCutOff: Bool { recordedAhead == 0 && (journal?.replayedAhead ?? 0) > 0 }

  /// Adds a line of the capture.
  @inline(__always)
  func add(_ line: UnsafeRawBufferPointer) { journal?.addRecorded(line) }

  /// Compares as far as both journals have come.
  func settle() { journal?.settle() }

  /// Compares verdicts instead of lines from here on, unless one differs already.
  /// - Returns: whether that is so.
  mutating func leaveJournal() -> Bool {
    settle()
    guard parting == nil else { return false }
    journal?.stop()
    extent = .answers
    return true
  }

  /// Ends both journals.
  func finishJournal() { journal?.finish() }

  mutating func addParting() {
    guard let parting else { return }
    let line = parting.recorded ?? parting.replayed ?? []
    var connection: ConnectionID?
    var notification: String?
    line.withUnsafeBytes { line in
      var fields = LineFields()
      guard (try? fields.read(line)) != nil else { return }
      connection = fields.string("connection").flatMap { ConnectionID($0) }
      notification = fields.string("id") ?? fields.string("notification")
    }
    // An answer explains more than a line.
    tally.add(
      ReplayDifference(
        content: .journal(recorded: parting.recorded ?? [], replayed: parting.replayed ?? []),
        connection: connection,
        notification: notification
      )
    )
  }

  // MARK: Connections

  mutating func noteUnbegun() { if extent != .nothing { tally.add(.gaps) } }

  mutating func noteRecordedAnswers() { tally.hasRecordedAnswers = true }

  /// Ends a connection: compares its answers to the end, and then the side that ended it.
  /// - Parameter time: the capture's time.
  mutating func end(_ connection: ReplayConnection, _ ending: CapturedEnd, at time: Timestamp) {
    defer { connection.isOver = true }
    if case .device = connection.door { return }
    // Differences before the gap were reported there.
    if extent == .nothing { return }
    connection.settleAnswers(by: time)
    addUnread(on: connection)
    let otherEnd = comparesJournal ? nil : connection.sides.otherEnd(ending, at: time)
    switch connection.sides.conclude(ending, otherEnd) {
    case .uncompared(let reason): tally.add(reason)
    case .compared(let difference):
      addRequests(of: connection)
      if let difference { add(difference, on: connection) }
    }
  }

  /// Ends the capture in which a connection is still open.
  /// - Parameter isExact: true for a recording that has every input, and so nothing that it does not show.
  mutating func leave(
    _ connection: ReplayConnection,
    _ ending: CapturedEnd,
    at time: Timestamp,
    isExact: Bool
  ) {
    connection.settleAnswers(by: time)
    guard connection.sides.mayGoOn(ending, at: time) else { return end(connection, ending, at: time) }
    addUnread(on: connection)
    addRequests(of: connection)
    connection.isOver = true
    if !isExact, connection.sides.sight != .nothing, connection.sides.goesOn { tally.add(.open) }
  }

  /// Compares what became of requests, to the end.
  private mutating func addRequests(of connection: ReplayConnection) {
    connection.sides.finishStreams()
    let streams = connection.sides.streams
    guard let first = streams.differences.first else { return }
    let difference = ReplayDifference(content: .request(first), connection: connection.name)
    tally.add(difference, count: streams.differenceCount)
  }

  /// Stops comparing, for good. The answers that differ are known by now.
  mutating func stop(_ connections: [ReplayConnection], at time: Timestamp?) {
    for connection in connections {
      if let time { connection.settleAnswers(by: time) }
      let sides = connection.sides
      if sides.gaps.isEmpty, !sides.isUnexplained, sides.answers.hasParted {
        add(.answer(sides.answers.answerDifference), on: connection)
      }
    }
    extent = .nothing
  }

  private mutating func add(_ difference: ConnectionDifference, on connection: ReplayConnection) {
    tally.add(
      ReplayDifference(
        content: .connection(difference),
        connection: connection.name,
        notification: connection.lastNotificationName
      )
    )
  }

  // MARK: Verdicts

  /// Compares a verdict. Where the journal is compared, verdicts are part of it.
  mutating func add(_ notification: ReplayedNotification, on connection: ReplayConnection) {
    guard !comparesJournal else { return }
    guard notification.isSame else {
      guard let recorded = notification.recorded else { return }
      let verdict = notification.verdict
      let words = Self.text(verdict.outcome, verdict.status, verdict.request?.answer)
      return add(recorded, on: connection, replayed: words)
    }
    beginUnanswered(notification, on: connection)
  }

  /// A recorded request that its service did not answer, and that has no answer in the replay: how its stream ends is
  /// still to be seen.
  private func beginUnanswered(_ notification: ReplayedNotification, on connection: ReplayConnection) {
    guard notification.isCompared, let recorded = notification.recorded, recorded.answer == .unanswered,
      let stream = notification.verdict.request?.stream
    else { return }
    let outcome = recorded.outcome == .discarded ? StreamOutcome.goneAway : nil
    connection.sides.streams.begin(stream, suppliedId: nil, recorded: outcome)
  }

  /// Reports notifications that the replay's gateway will not read, because it refused their connection or stopped
  /// reading it. Those that were recorded as discarded are equal.
  mutating func addUnread(on connection: ReplayConnection) {
    let isCompared =
      !comparesJournal && extent != .nothing && connection.sides.gaps.isDisjoint(with: [.input, .beginning])
    while let recorded = connection.takePending() {
      if isCompared, recorded.outcome != .discarded { add(recorded, on: connection, replayed: "not read") }
    }
  }

  private mutating func add(
    _ recorded: CapturedNotification,
    on connection: ReplayConnection,
    replayed verdict: String
  ) {
    connection.sides.hasOtherVerdicts = true
    tally.add(
      ReplayDifference(
        content: .verdict(
          recorded: Self.text(recorded.outcome, recorded.status, recorded.answer),
          replayed: verdict
        ),
        connection: connection.name,
        notification: "n\(recorded.number)"
      )
    )
  }

  private static func text(_ outcome: Outcome, _ status: UInt8, _ answer: RequestStatus?) -> String {
    if let answer { return "\(outcome), \(answer.text)" }
    return status > 0 ? "\(outcome), status \(status)" : "\(outcome)"
  }
}
