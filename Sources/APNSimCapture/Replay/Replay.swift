package import APNSimCore
import APNSimWire

/// Plays a capture into a simulator of its own, without a network and as fast as possible, and compares the result with
/// the recording.
///
/// A journal that a simulator recorded from its beginning has every input in its place, so that with all original
/// settings the replay's journal equals it, byte for byte. Any other capture has at least the bytes of its connections,
/// and the answers to the providers are compared. Memory does not grow with the capture.
package final class Replay {
  /// True where the recording has every input, and everything is as it was recorded.
  package let isExact: Bool
  package let reader: CaptureReader
  let source: ReplaySource
  let issuer: ReplayIssuer
  package let simulator: Simulator
  let options: ReplayOptions
  let batch: ReplayBatch
  let connections = ReplayConnections()
  var clock: ReplayClock
  var verdicts: ReplayVerdicts
  var comparison: ReplayComparison
  var result = ReplayResult()
  /// The connection of the last line, where that has bytes that are no frame.
  private var lastUnread: ConnectionID?

  /// - Throws: `ReplayFailure` where the capture's beginning cannot be restored.
  package init(
    _ reader: CaptureReader,
    options: ReplayOptions = ReplayOptions()
  ) throws(ReplayFailure) {
    self.reader = reader
    self.options = options
    let header = reader.header
    isExact = header.isComplete && options.isUnchanged
    source = ReplaySource(reader)
    issuer = ReplayIssuer(source, seed: header.seed ?? 1)
    let beginning = try ReplayBeginning(header, options, isExact: isExact, reader.path)
    simulator = try beginning.simulator(header, issuer, reader.path)
    batch = ReplayBatch(
      beginning.portions,
      mostAtOnce: min(ReplayBatch.most, 5 * beginning.configuration.limits.keep)
    )
    clock = ReplayClock(simulator, connections)
    verdicts = ReplayVerdicts(of: simulator)
    let journal = isExact && !options.isOnlyShown ? LineComparison() : nil
    comparison = ReplayComparison(isExact ? .journal : .answers, journal: journal)
    if let journal { simulator.add(journal) }
    if isRecording { comparison.noteRecordedAnswers() }
  }

  /// True where a simulator recorded the capture.
  var isRecording: Bool { reader.header.source == nil }

  /// Adds a recorder of the replay's journal, which gets it from its beginning when it is added before the run.
  package func record(to recorder: any JournalRecorder) {
    simulator.add(reader.header.isRedacted ? RedactedJournal(recorder) : recorder)
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
    verdicts.begin(observe: observe, areFollowed: !isExact)
    connections.join(simulator)
    if comparison.comparesLines {
      note(unknown: reader.header.unknownKeys)
      reader.plainHeaderLine.withUnsafeBytes { comparison.add($0) }
    }
    playAll(progress, isEnough)
    flush()
    comparison.settle()
    if let last = clock.last,
      !comparison.comparesJournal || options.isOnlyShown || comparison.recordedAhead > 0
    {
      simulator.wake(at: wall(reaching: last))
      connections.deliverDue(at: last)
    }
    finish()
    simulator.setOutlet(nil)
    return result
  }

  private func playAll(_ progress: ((Double) -> Void)?, _ isEnough: (() -> Bool)?) {
    var entries = 0
    var line = NotificationLine()
    while let isNotification = source.advance(&line) {
      if isNotification, !isAtGap, receive(line) {
        clock.note(line.time)
        lastUnread = nil
      } else {
        guard let entry = source.present(), play(entry, isNotification: isNotification) else { break }
      }
      entries += 1
      if entries % 4096 == 0 {
        catchUp()
        if let done = reader.progress { progress?(done) }
        if let isEnough, isEnough() { break }
      }
    }
  }

  /// - Returns: false where the replay is to stop before this entry.
  private func play(_ entry: CaptureEntry, isNotification: Bool) -> Bool {
    if isAtGap { stopComparing() }
    let command = self.command(of: entry)
    if case .success(let command)? = command, command.isNewBeginning {
      if result.endedParts + 1 == options.lastPart { return false }
      noteNewBeginning()
    }
    // The simulator's own spelling has nothing unknown.
    if isNotification { compareLine() } else if comparison.comparesLines { compare(entry) }
    play(entry, command)
    clock.note(entry.time)
    if case .bytesIn(let id, _, _, nil) = entry.kind { lastUnread = id } else { lastUnread = nil }
    connections.deliverDue(at: entry.time)
    return true
  }

  /// Lets time pass to the present line before too many recorded lines wait, because no input triggers what is due by
  /// time alone.
  private func catchUp() {
    comparison.settle()
    guard comparison.recordedAhead > 4 << 20, let last = clock.last else { return }
    flush()
    clock.wake(at: last)
    comparison.settle()
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
    if comparison.comparesLines { source.withLine { comparison.add($0) } }
  }

  /// Counts keys that this program cannot write.
  private func note(unknown keys: [String]) {
    guard !keys.isEmpty else { return }
    for key in keys { result.unknownKeys.count(key) }
    stopComparingJournal()
  }

  // MARK: Gaps

  /// True where lines are missing before the present one. Stopping there may look ahead in the file, which invalidates
  /// a notification's line: it is read as an entry.
  @inline(__always)
  private var isAtGap: Bool { !reader.gaps.isEmpty && comparison.extent != .nothing }

  private func stopComparing() {
    flush()
    stopComparingJournal()
    comparison.stop(connections.sorted, at: clock.last)
  }

  /// Compares verdicts instead of lines from here on, because the recorded journal has something that this program
  /// cannot write.
  func stopComparingJournal() {
    guard comparison.comparesJournal else { return }
    flush()
    if let last = clock.last { clock.pass(to: last) }
    if comparison.leaveJournal() { verdicts.follow() }
  }

  // MARK: The end

  /// Closes the last connection of a capture that is cut off, because bytes that are no frame are written when their
  /// connection closes.
  private func closeCutOff() {
    guard let id = lastUnread, options.isOnlyShown || comparison.recordedAhead > 0, let last = clock.last,
      case .gateway(let gateway)? = connections[id]?.door
    else { return }
    gateway.closed(.failed, at: simulator.wall(showing: last))
  }

  private func finish() {
    result.commands.settle(before: nil)
    if comparison.comparesJournal {
      closeCutOff()
      comparison.settle()
      result.endsEarly = comparison.isCutOff
    }
    let ending = reader.damage == nil && !result.endsEarly ? CapturedEnd.nobody : .unknown
    for connection in connections.sorted {
      _ = connections.remove(connection.name)
      comparison.leave(connection, ending, at: clock.last ?? Timestamp(rawValue: 0), isExact: isExact)
    }
    verdicts.finish()
    if comparison.comparesJournal {
      if !result.endsEarly { comparison.finishJournal() }
      comparison.addParting()
    }
    result.comparesJournal = comparison.comparesJournal
    result.tally = comparison.tally
    result.outcomes = verdicts.outcomes
    result.notifications = verdicts.total
    result.resends = verdicts.resends
    result.damage = reader.damage
    result.unknownEvents = reader.unknownEvents
    result.gaps = reader.gaps
    result.names = connections.names
  }
}
