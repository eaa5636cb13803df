import APNSimWire

/// Stretches of the journal for readers at their own pace.
extension World {
  /// The journal's first line: what a replay needs to start from the same point.
  var journalHeader: [UInt8] { header(completeFrom: history.completeFrom).line }

  /// The first line of a recording that begins in the middle, with an event of the past.
  func header(from seq: UInt64) -> [UInt8] {
    header(completeFrom: max(history.completeFrom, min(seq, history.nextSeq))).line
  }

  /// The first line of a part of a recording that begins with the next event.
  var continuedHeader: [UInt8] {
    var header = header(completeFrom: history.nextSeq)
    header.continues = true
    return header.line
  }

  private func header(completeFrom: UInt64) -> JournalHeader {
    JournalHeader(
      seed: setup.seed,
      start: setup.start,
      isVirtual: clock.isVirtual,
      scenario: setup.scenario,
      configuration: configuration,
      completeFrom: completeFrom,
      now: now
    )
  }

  func journal(from seq: UInt64, maxBytes: Int, matching query: CompiledQuery?) -> Simulator.JournalSlice {
    let start = max(seq, history.completeFrom)
    let missed = seq < history.completeFrom && seq > 0 ? history.completeFrom - seq : 0
    let lines = JournalLines()
    var marks: [Simulator.Mark] = []
    var number = history.firstNotification(from: start)
    var event = history.firstEvent(from: start)
    var next = start
    var steps = 0
    var isLast = false
    while lines.bytes.count < maxBytes, steps < CompiledQuery.stretch {
      let nextRecord = history.notifications.contains(number) ? history.notifications[number].seq : .max
      let nextEvent = event < history.endEvent ? history.event(event).seq : .max
      guard min(nextRecord, nextEvent) < .max else {
        (isLast, next) = (true, max(next, history.nextSeq))
        break
      }
      if nextRecord < nextEvent {
        let record = history.notifications[number]
        steps += query?.steps(for: record) ?? 0
        if query.map({ $0.matches(record, in: self) }) ?? true {
          render(number, into: lines)
          marks.append(.init(seq: nextRecord, event: Event.notificationName, newline: lines.bytes.count - 1))
        }
        number += 1
      } else {
        let record = history.event(event)
        if query.map({ isAbout($0, record.event, &steps) }) ?? true {
          lines.append(record)
          marks.append(.init(seq: nextEvent, event: record.event.name, newline: lines.bytes.count - 1))
        }
        event += 1
      }
      next = min(nextRecord, nextEvent) + 1
    }
    return Simulator.JournalSlice(
      lines: Array(lines.bytes),
      marks: marks,
      next: next,
      missed: missed,
      wasCleared: seq < history.clearedBefore,
      isLast: isLast
    )
  }

  /// True if an event is about a notification that matches, and what it takes to know.
  private func isAbout(_ query: CompiledQuery, _ event: Event, _ steps: inout Int) -> Bool {
    let number: UInt64 =
      switch event {
      case .outcome(_, let number, _, _, _), .errorSent(_, _, let number, _, _), .resent(_, _, let number):
        number
      default: 0
      }
    guard history.notifications.contains(number) else {
      steps += CompiledQuery.base
      return false
    }
    let record = history.notifications[number]
    steps += query.steps(for: record)
    return query.matches(record, in: self)
  }

  mutating func addJournalPlace(from seq: UInt64, _ query: CompiledQuery?) -> JournalPlace {
    let place = JournalPlace(seq, query)
    feed.add(place)
    return place
  }

  func takeJournal(at place: JournalPlace, maxBytes: Int) -> Simulator.JournalSlice {
    let slice = journal(from: place.next, maxBytes: maxBytes, matching: place.query)
    place.next = slice.next
    return slice
  }

  /// Saves what readers have not had of the history, which is about to be cleared: of very much its beginning, so that
  /// one that is far behind is told of a gap.
  private mutating func saveForReaders() {
    var left = feed.places.reduce(JournalPlace.mostSaved) { $0 - $1.saved.count }
    for place in feed.places {
      while left > 0, place.next < history.nextSeq {
        var slice = takeJournal(at: place, maxBytes: JournalPlace.sliceBytes)
        slice.isLast = false
        if !slice.marks.isEmpty || slice.missed > 0 { place.saved.append(slice) }
        // A stretch in which nothing matched took as long.
        left -= 1
      }
    }
  }

  /// Called before the history is cleared: what is being recorded or read must not go with it, the command that clears
  /// it among it.
  mutating func settleJournal() {
    flushRecording()
    if !feed.places.isEmpty { saveForReaders() }
  }
}
