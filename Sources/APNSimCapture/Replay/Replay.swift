package import APNSimCore
import APNSimScenario
import APNSimWire
import DequeModule

/// Plays a capture into a simulator of its own, without a network and as fast as possible, and compares the result with
/// the recording.
///
/// A journal that a simulator recorded from its beginning has every input in its place, so that with all original
/// settings the replay's journal equals it, byte for byte. Any other capture has at least the bytes of its connections,
/// and the answers to the providers are compared. Memory does not grow with the capture.
package final class Replay {
  package let isExact: Bool
  /// True where the replay's journal is compared with the recorded one, line by line.
  private let comparesLines: Bool
  package let reader: CaptureReader
  let source: ReplaySource
  let issuer: ReplayIssuer
  package let simulator: Simulator
  let options: ReplayOptions
  /// True where a simulator recorded the capture: it knows which side ended a connection, and that it had read
  /// everything.
  let isRecording: Bool
  let journal: ReplayJournal
  var connections: [ConnectionID: ReplayConnection] = [:]
  /// The capture's numbers by the replay's, for actions that are due later.
  var byReplayID: [ConnectionID: ConnectionID] = [:]
  /// Connections that appear in the capture without their beginning.
  var unbegun = ConnectionNumbers()
  var result = ReplayResult()
  let batch = ReplayBatch()
  /// Buffer for the line that begins a batch, while the batch before is handed in.
  let scratch = ReplayBatch()
  let outlet = ReplayOutlet()
  var observe: ((ReplayedNotification) -> Void)?
  /// Notifications that are shown once it is known what became of them, in order.
  var unshown: Deque<(notification: ReplayedNotification, connection: ReplayConnection)> = []
  /// True where each verdict is needed: for an observer, or to compare it with the recorded one.
  var followsVerdicts = false
  var numbers = ReplayedNumbers()
  /// The number of notifications by outcome, indexed by `Outcome.rawValue`.
  var counts = [UInt64](repeating: 0, count: Outcome.allCases.count)
  /// The number of the next batch's first notification.
  var nextVerdict: UInt64 = 1
  var lastTime: Timestamp?
  /// The connection of the last line, where that has bytes that are no frame.
  private var lastUnread: ConnectionID?
  /// True after missing lines, whose effects are not known: nothing is compared any more.
  var isBehindGap = false
  /// True where each line's bytes are handed in before the next line, because their tokens may have to be looked up
  /// there.
  let takesSingly: Bool
  /// True where a notification's outcome shows whether its token had been issued.
  let provesTokens: Bool
  /// The error of the last command, until the capture shows whether it failed in the recording.
  var failedCommand: String?
  /// The rules' verdict on the certificate that was judged last, by listener.
  var judgements: [Listener: (ordinal: UInt32, isRefused: Bool)] = [:]
  /// The most bytes that are handed in at once: no more notifications than the history keeps until they are counted.
  let mostAtOnce: Int

  /// - Throws: `ReplayFailure` where the capture's beginning cannot be restored.
  package init(
    _ reader: CaptureReader,
    options: ReplayOptions = ReplayOptions()
  ) throws(ReplayFailure) {
    self.reader = reader
    self.options = options
    let header = reader.header
    isExact = header.isComplete && options.isUnchanged
    comparesLines = isExact && !options.isOnlyShown
    isRecording = header.source == nil
    source = ReplaySource(reader)
    issuer = ReplayIssuer(source, seed: header.seed ?? 1)
    journal = ReplayJournal()
    var configuration = try Self.configuration(of: header, options, reader.path)
    // A frame has at least five bytes.
    if !isExact { configuration.limits.keep = max(configuration.limits.keep, ReplayBatch.most / 5) }
    if let keep = options.keep, keep > configuration.limits.keep {
      configuration.limits.keep = keep
      configuration.limits.historyBytes = max(configuration.limits.historyBytes, keep * Self.usualBytes)
    }
    mostAtOnce = min(ReplayBatch.most, 5 * configuration.limits.keep)
    takesSingly = configuration.tokens == .issued
    provesTokens = takesSingly && header.settings.contains { $0.name == "tokens" && $0.text == "issued" }
    var scenario: Scenario
    if let chosen = options.scenario {
      scenario = chosen
    } else {
      scenario = try Self.scenario(of: header, reader.path)
    }
    // The times are the capture's, whatever clock another scenario has.
    if options.scenario != nil || header.scenario == nil {
      scenario.clock = header.isVirtual ? .virtual(start: header.start) : .real
    }
    do {
      simulator = try Simulator(
        configuration: configuration,
        scenario: scenario,
        seed: header.seed ?? scenario.seed ?? 1,
        start: header.start ?? Timestamp(rawValue: 0),
        tokenIssuer: issuer
      )
    } catch {
      throw ReplayFailure(description: "\(reader.path): the scenario it begins with cannot be: \(error)")
    }
    result.comparesJournal = isExact
    result.hasRecordedAnswers = isRecording
    if comparesLines { simulator.add(journal) }
  }

  /// The bytes of a notification for which there is room where many are kept.
  private static let usualBytes = 1024

  /// Adds a recorder of the replay's journal, which gets it from its beginning when it is added before the run.
  package func record(to recorder: any JournalRecorder) {
    simulator.add(reader.header.isRedacted ? RedactedJournal(recorder) : recorder)
  }

  /// A chosen scenario's settings override the recorded ones, and the options' settings override both.
  private static func configuration(
    of header: CaptureHeader,
    _ options: ReplayOptions,
    _ path: String
  ) throws(ReplayFailure) -> Configuration {
    var configuration = Configuration()
    func apply(_ assignments: [SettingAssignment]) throws(ReplayFailure) {
      for assignment in assignments {
        do {
          try Setting.named(assignment.name)?.apply(assignment.text, to: &configuration)
        } catch {
          throw ReplayFailure(description: "\(path): setting \(error)")
        }
      }
    }
    try apply(header.settings)
    // The limits are not a scenario's to set.
    let limits = configuration.limits
    try apply(options.scenario?.settings ?? [])
    configuration.limits = limits
    try apply(options.settings)
    return configuration
  }

  private static func scenario(of header: CaptureHeader, _ path: String) throws(ReplayFailure) -> Scenario {
    guard let json = header.scenario else { return Scenario() }
    do {
      return try ScenarioFile.parse(
        written: String(decoding: json, as: UTF8.self),
        name: "\(path): scenario in line 1"
      )
    } catch {
      throw ReplayFailure(description: "\(error)")
    }
  }

  /// Plays the whole capture.
  /// - Parameters:
  ///   - observe: gets each notification, in order.
  ///   - progress: gets the part of the file that has been read, from 0 to 1, now and then, where it is known.
  ///   - isEnough: asked now and then; true ends the replay there.
  package func run(
    observe: ((ReplayedNotification) -> Void)? = nil,
    progress: ((Double) -> Void)? = nil,
    isEnough: (() -> Bool)? = nil
  ) -> ReplayResult {
    self.observe = observe
    followsVerdicts = observe != nil || !isExact
    simulator.setOutlet(outlet)
    if comparesLines {
      note(unknown: reader.header.unknownKeys)
      journal.comparison.addRecorded(headerLine: reader.plainHeaderLine)
    }
    var entries = 0
    var line = NotificationLine()
    while let isNotification = source.advance(&line) {
      if isNotification, !isAtGap, receive(line) {
        (lastTime, lastUnread) = (line.time, nil)
      } else {
        guard let entry = source.present() else { break }
        if isAtGap { stopComparing() }
        if isNewBeginning(entry) {
          if result.endedParts + 1 == options.lastPart { break }
          noteNewBeginning()
        }
        // The simulator's own spelling has nothing unknown.
        if isNotification { compareLine() } else if comparesLines { compare(entry) }
        play(entry)
        lastTime = entry.time
        if case .bytesIn(let id, _, _, nil) = entry.kind { lastUnread = id } else { lastUnread = nil }
        noteDueAnswers(at: entry.time)
      }
      entries += 1
      if entries % 4096 == 0 {
        catchUp()
        if let done = reader.progress { progress?(done) }
        if let isEnough, isEnough() { break }
      }
    }
    flush()
    journal.comparison.settle()
    if let lastTime, !result.comparesJournal || options.isOnlyShown || journal.comparison.recordedAhead > 0 {
      simulator.wake(at: wall(reaching: lastTime))
      noteDueAnswers(at: lastTime)
    }
    finish()
    simulator.setOutlet(nil)
    return result
  }

  /// Lets time pass to the present line before too many recorded lines wait, because no input triggers what is due by
  /// time alone.
  private func catchUp() {
    journal.comparison.settle()
    guard isExact, journal.comparison.recordedAhead > 4 << 20, let lastTime else { return }
    flush()
    simulator.wake(at: simulator.wall(showing: lastTime))
    journal.comparison.settle()
  }

  /// Compares a line of the capture, unless this program could not write it.
  private func compare(_ entry: CaptureEntry) {
    if !reader.unknownEvents.isEmpty, case .other(let name) = entry.kind, !Event.names.contains(name) {
      return stopComparingJournal()
    }
    note(unknown: source.withFields { $0.keys(notIn: Event.keys) })
    compareLine()
  }

  /// Compares the present line, which was read without damage.
  @inline(__always)
  func compareLine() {
    if comparesLines { source.withLine { journal.comparison.addRecorded($0) } }
  }

  /// Counts keys that this program cannot write.
  private func note(unknown keys: [String]) {
    guard !keys.isEmpty else { return }
    for key in keys { result.unknownKeys.count(key) }
    stopComparingJournal()
  }

  /// Closes the last connection of a capture that is cut off, because bytes that are no frame are written when their
  /// connection closes.
  private func closeCutOff() {
    guard let id = lastUnread, options.isOnlyShown || journal.comparison.recordedAhead > 0, let lastTime,
      case .gateway(let gateway)? = connections[id]?.door
    else { return }
    gateway.closed(.failed, at: simulator.wall(showing: lastTime))
  }

  private func finish() {
    noteFailedCommand(before: nil)
    if result.comparesJournal {
      closeCutOff()
      journal.comparison.settle()
      result.endsEarly = journal.comparison.recordedAhead == 0 && journal.comparison.replayedAhead > 0
    }
    let ending = reader.damage == nil && !result.endsEarly ? CapturedEnd.nobody : .unknown
    let time = lastTime ?? Timestamp(rawValue: 0)
    for name in connections.keys.sorted() {
      connections[name]?.settleAnswers(by: time)
      // More may have gone out on a connection that the recording left open than it has.
      if let connection = connections[name], connection.isComparable, !connection.answers.lacks,
        !(ending == .nobody && isEndMissing(from: connection, at: time)), !isContradicted(connection)
      {
        differUnread(on: connection)
        compareStreams(of: connection)
        connection.isOver = true
        connections[name] = nil
        if !isExact, connection.isAnswerSeen, connection.goesOn { result.openConnections += 1 }
      } else {
        end(name, ending, at: time)
      }
    }
    showRest()
    if result.comparesJournal {
      if !result.endsEarly { journal.comparison.finish() }
      if let parting = journal.comparison.parting { differ(parting) }
    }
    if !followsVerdicts { nextVerdict = simulator.countOutcomes(from: nextVerdict, into: &counts) }
    for outcome in Outcome.allCases where counts[Int(outcome.rawValue)] > 0 {
      result.outcomes[outcome] = counts[Int(outcome.rawValue)]
    }
    result.notifications = counts.reduce(0, +)
    result.damage = reader.damage
    result.unknownEvents = reader.unknownEvents
    result.gaps = reader.gaps
    result.resends = simulator.connections()
      .filter { !$0.resend.failed.isEmpty || !$0.resend.discarded.isEmpty }.map(renumbered)
    result.names = byReplayID
  }

  /// The view with the capture's numbers of notifications.
  private func renumbered(_ view: ConnectionView) -> ConnectionView {
    var view = view
    for list in [\ResendReport.failed, \.discarded, \.resent, \.lost] {
      for case (let index, .number(let number)) in view.resend[keyPath: list].enumerated() {
        view.resend[keyPath: list][index] = .number(numbers[number])
      }
    }
    return view
  }
}
