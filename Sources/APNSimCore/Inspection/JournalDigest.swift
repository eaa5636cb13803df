package import APNSimWire

/// The events in a stretch of the journal, counted: what a page needs to stay up to date, however much happens.
package struct JournalDigest: Sendable {
  /// The last sequence number that it covers.
  package private(set) var seq: UInt64
  /// The simulated time when it was made.
  package private(set) var time: Timestamp
  /// True if there was nothing more at that moment.
  package private(set) var isLast = false

  /// Notifications that came in; of them those that match, and of these those that were answered with an error.
  package private(set) var received = 0
  package private(set) var matched = 0
  package private(set) var rejected = 0
  /// Sequence numbers whose records left the history before they could be counted.
  package private(set) var missed: UInt64 = 0
  /// The notifications that match, by their fates.
  package private(set) var outcomes: [Fate: Int] = [:]
  /// The newest ones that match, oldest first.
  package private(set) var newest: [UInt64] = []
  /// Notifications whose state changed after they came in, in the order of the changes, each once.
  package private(set) var changed: [UInt64] = []
  package private(set) var hasMoreChanged = false
  /// The kinds of other things that happened.
  package private(set) var kinds: Set<Kind> = []
  /// The history was cleared.
  package private(set) var wasCleared = false

  /// At most so many of the newest are named, and so many that changed.
  package static let mostNewest = 60
  package static let mostChanged = 200

  /// The kinds of other events, by what they are about.
  package enum Kind: Hashable, Sendable {
    case clock, faults, connections, devices, feedback
  }

  /// The fate of a notification when it came in, as far as counts tell it apart.
  package struct Fate: Hashable, Sendable {
    package let outcome: Outcome
    /// The status code of one that was rejected by the binary interface.
    package let status: StatusCode?
    /// The answer to a request that was rejected.
    package let answer: RequestStatus?

    init(_ record: borrowing NotificationRecord) {
      outcome = record.outcome
      let isRejected = record.outcome == .rejected
      switch record.interface {
      case .binary:
        let code = record.status
        status = isRejected && code > 0 ? StatusCode(rawValue: code) : nil
        answer = nil
      case .http2:
        status = nil
        answer = isRejected ? RequestStatus(record) : nil
      }
    }

    /// `delivered`, `rejected:8 Invalid token`, `rejected:410 Unregistered`.
    package var text: String {
      if let answer { return "\(outcome):\(answer.text)" }
      guard let status else { return outcome.description }
      return "\(outcome):\(status.rawValue) \(status.name)"
    }
  }

  init(after seq: UInt64, time: Timestamp) { (self.seq, self.time) = (seq, time) }

  /// True if nothing happened in it.
  package var isEmpty: Bool {
    received == 0 && missed == 0 && changed.isEmpty && kinds.isEmpty && !wasCleared
  }

  /// Adds the digest of the stretch that follows.
  package mutating func add(_ later: consuming JournalDigest) {
    (seq, time, isLast) = (later.seq, later.time, later.isLast)
    if later.wasCleared { (newest, changed, hasMoreChanged) = ([], [], false) }
    received += later.received
    matched += later.matched
    rejected += later.rejected
    missed += later.missed
    outcomes.merge(later.outcomes, uniquingKeysWith: +)
    newest = (newest + later.newest).suffix(Self.mostNewest)
    for number in later.changed { noteChange(number) }
    hasMoreChanged = hasMoreChanged || later.hasMoreChanged
    kinds.formUnion(later.kinds)
    wasCleared = wasCleared || later.wasCleared
  }

  private mutating func noteChange(_ number: UInt64) {
    guard changed.count < Self.mostChanged else {
      hasMoreChanged = true
      return
    }
    if number > 0, !changed.contains(number) { changed.append(number) }
  }
}

extension JournalDigest {
  /// Counts notifications, all of which have come in.
  mutating func count(_ numbers: Range<UInt64>, _ query: CompiledQuery?, in world: borrowing World) {
    received += numbers.count
    var run = Run()
    if let query {
      query.forEachMatch(numbers, in: world) { number in
        count(world.history.notifications[number], &run)
        newest.append(number)
        if newest.count > 2 * Self.mostNewest { newest.removeFirst(Self.mostNewest) }
      }
      newest = newest.suffix(Self.mostNewest)
    } else {
      for number in numbers { count(world.history.notifications[number], &run) }
      newest = Array(numbers.suffix(Self.mostNewest))
    }
    end(run)
  }

  /// Notifications one after another that fared the same, as most do.
  private struct Run {
    var fate: Fate?
    var count = 0
  }

  @inline(__always)
  private mutating func count(_ record: borrowing NotificationRecord, _ run: inout Run) {
    let fate = Fate(record)
    if fate != run.fate {
      end(run)
      run = Run(fate: fate)
    }
    run.count += 1
  }

  private mutating func end(_ run: Run) {
    guard let fate = run.fate else { return }
    matched += run.count
    if fate.outcome == .rejected { rejected += run.count }
    outcomes[fate, default: 0] += run.count
  }

  /// Notes what an event is about.
  mutating func note(_ event: Event) {
    switch event {
    case .connectionOpened, .connectionClosed, .connectionRefused, .connectionTurnedAway, .errorSent,
      .inputEnded, .shutdown:
      kinds.insert(.connections)
    case .deviceConnected, .deviceDisconnected: kinds.formUnion([.connections, .devices])
    case .answered(_, _, let number):
      noteChange(number)
    case .streamGivenUp(_, _, let number, _):
      noteChange(number)
      kinds.insert(.connections)
    case .resent, .requestMalformed: kinds.insert(.connections)
    case .outcome(_, let number, _, _, _):
      noteChange(number)
      kinds.insert(.devices)
    case .faultFired, .requestFault: kinds.formUnion([.faults, .connections])
    case .command(let command, _): note(command)
    case .clockChanged: kinds.insert(.clock)
    case .feedbackAdded, .feedbackRead, .feedbackCleared: kinds.insert(.feedback)
    case .deviceAdded, .deviceRemoved, .deviceOnline, .deviceOffline, .appInstalled, .appUninstalled,
      .appRemoved, .channel, .activity:
      kinds.insert(.devices)
    case .historyCleared: wasCleared = true
    case .connectionArrived, .certificateJudged, .linesSent, .deviceSilent, .commandFailed, .bytesIn,
      .bytesOut, .timelineFailed, .expectation:
      break
    }
  }

  private mutating func note(_ command: Command) {
    switch command {
    case .addRule, .removeRule, .clearRules: kinds.insert(.faults)
    case .reset, .replaceScenario: kinds.formUnion([.faults, .devices, .clock, .connections, .feedback])
    case .freezeClock, .resumeClock, .advanceClock, .setClock: kinds.insert(.clock)
    default: kinds.insert(.devices)
    }
  }

  /// Notes that sequence numbers are missing: anything may have happened.
  fileprivate mutating func noteMissing(_ count: UInt64, wasCleared: Bool) {
    missed += wasCleared ? 0 : count
    kinds.formUnion([.clock, .faults, .connections, .devices, .feedback])
    hasMoreChanged = true
    if wasCleared { self.wasCleared = true }
  }

  fileprivate mutating func end(at seq: UInt64, isLast: Bool) { (self.seq, self.isLast) = (seq, isLast) }
}

extension World {
  /// Counts what happened after a sequence number, as much as may be looked at in one go.
  fileprivate func digest(after seq: UInt64, through last: UInt64, _ query: CompiledQuery?) -> JournalDigest {
    var digest = JournalDigest(after: seq, time: now)
    let start = seq + 1
    if start < history.completeFrom {
      digest.noteMissing(history.completeFrom - start, wasCleared: start < history.clearedBefore)
    }
    let all = history.firstNotification(from: start)..<history.firstNotification(from: last + 1)
    let numbers = query?.stretch(all, in: self) ?? all.prefix(JournalDigest.stretch)
    let isLast = numbers.upperBound == all.upperBound
    let end = isLast ? last : history.notifications[numbers.upperBound - 1].seq
    digest.count(numbers, query, in: self)
    for event in history.firstEvent(from: start)..<history.firstEvent(from: end + 1) {
      digest.note(history.event(event).event)
    }
    digest.end(at: max(seq, end), isLast: isLast)
    return digest
  }
}

extension JournalDigest {
  /// The notifications that are counted in one go where there is no query; each takes some ten nanoseconds.
  fileprivate static let stretch = 50_000
}

extension Simulator {
  /// Counts what happened after a sequence number, as much as may be looked at in one go.
  /// - Parameters:
  ///   - last: nothing after this one; nil for the newest.
  ///   - query: what is to match; nil for everything.
  package func digest(
    after seq: UInt64,
    through last: UInt64? = nil,
    matching query: CompiledQuery? = nil
  ) -> JournalDigest {
    withWorld { world in
      let newest = world.history.nextSeq - 1
      return world.digest(after: min(seq, newest), through: min(last ?? newest, newest), query)
    }
  }

  /// The beginning of a row of digests.
  package struct DigestStart: Sendable {
    /// The last sequence number that was given out.
    package var seq: UInt64
    /// The numbers of the notifications that the history has.
    package var kept: Range<UInt64>
  }

  package var digestStart: DigestStart {
    withWorld { world in
      DigestStart(
        seq: world.history.nextSeq - 1,
        kept: world.history.notifications.first..<world.history.notifications.end
      )
    }
  }
}
