internal import APNSimWire

/// Reading the journal at one's own pace.
extension Simulator {
  /// A stretch of the journal: whole lines, in total order.
  package struct JournalSlice: Sendable {
    package var lines: [UInt8]
    /// The sequence number to go on from.
    package var next: UInt64
    /// How many sequence numbers are missing before the first line, because their records have left the history.
    package var missed: UInt64
    /// Whether there was nothing more at that moment.
    package var isLast: Bool
  }

  /// The journal's first line: what a replay needs to start from the same point.
  package var journalHeader: [UInt8] { withWorld { $0.journalHeader } }

  /// The journal from a sequence number on, about so many bytes of it.
  ///
  /// Whoever reads has to keep up: records leave the history when newer ones need the room, and then `missed` says
  /// how many.
  /// - Parameter query: only notifications that match and what is about them; nil for everything.
  package func journal(
    from seq: UInt64,
    maxBytes: Int = 65_536,
    matching query: CompiledQuery? = nil
  ) -> JournalSlice {
    withWorld { $0.journal(from: seq, maxBytes: maxBytes, matching: query) }
  }

  /// The sequence number that the next event gets.
  package var nextSeq: UInt64 { withWorld { $0.history.nextSeq } }

  /// Calls back once when there is something from that sequence number on, at once if there is already; outside the
  /// lock, from whatever thread made it happen.
  package func whenJournalReaches(_ seq: UInt64, _ body: @escaping @Sendable () -> Void) {
    let isThere = withWorld { world in
      guard world.history.nextSeq <= seq else { return true }
      world.journalWatchers.append(body)
      return false
    }
    if isThere { body() }
  }
}

extension World {
  var journalHeader: [UInt8] {
    JournalHeader(
      seed: seed,
      start: start,
      isVirtual: clock.isVirtual,
      scenario: scenario.name,
      configuration: configuration
    ).line
  }

  func journal(from seq: UInt64, maxBytes: Int, matching query: CompiledQuery?) -> Simulator.JournalSlice {
    let start = max(seq, history.completeFrom)
    let missed = seq < history.completeFrom && seq > 0 ? history.completeFrom - seq : 0
    var lines = JournalLines()
    var number = history.firstNotification(from: start)
    var event = history.firstEvent(from: start)
    // A reader may have a notification's line and not that of its outcome, which is the number behind it.
    let isBetween = hasOutcomeLine(number - 1, at: start)
    if isBetween { number -= 1 }
    var next = start
    var looked = 0
    while lines.bytes.count < maxBytes, looked < 5000 {
      let nextRecord = history.notifications.contains(number) ? history.notifications[number].seq : .max
      let nextEvent = event < history.endEvent ? history.event(event).seq : .max
      if nextRecord == .max, nextEvent == .max {
        return Simulator.JournalSlice(
          lines: isBetween ? Self.withoutFirstLine(lines.bytes) : lines.bytes,
          next: max(next, history.nextSeq),
          missed: missed,
          isLast: true
        )
      }
      looked += 1
      if nextRecord < nextEvent {
        let record = history.notifications[number]
        if query.map({ $0.matches(record, in: self) }) ?? true {
          lines.append(view(of: number, asItCameIn: true))
        }
        next = record.seq + (record.entry.isAccepted ? 2 : 1)
        number += 1
      } else {
        let record = history.event(event)
        if query.map({ isAbout($0, record.event) }) ?? true { lines.append(record) }
        next = record.seq + 1
        event += 1
      }
    }
    return Simulator.JournalSlice(
      lines: isBetween ? Self.withoutFirstLine(lines.bytes) : lines.bytes,
      next: next,
      missed: missed,
      isLast: false
    )
  }

  /// Whether a notification's outcome is the event with this sequence number.
  private func hasOutcomeLine(_ number: UInt64, at seq: UInt64) -> Bool {
    guard history.notifications.contains(number) else { return false }
    let record = history.notifications[number]
    return record.entry.isAccepted && record.seq + 1 == seq
  }

  private static func withoutFirstLine(_ lines: [UInt8]) -> [UInt8] {
    guard let end = lines.firstIndex(of: UInt8(ascii: "\n")) else { return lines }
    return Array(lines[(end + 1)...])
  }

  /// Whether an event is about a notification that matches.
  private func isAbout(_ query: CompiledQuery, _ event: Event) -> Bool {
    let number: UInt64 =
      switch event {
      case .outcome(_, let number, _, _, _), .errorSent(_, _, let number, _, _), .resent(_, _, let number):
        number
      default: 0
      }
    return history.notifications.contains(number) && query.matches(history.notifications[number], in: self)
  }
}
