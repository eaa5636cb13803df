import APNSimWire

/// Writing the journal out, in total order.
extension World {
  /// Adds an event to the total order.
  mutating func emit(_ event: consuming Event) {
    history.append(EventRecord(seq: history.takeSeq(), time: now, event: event))
  }

  /// Bytes after which lines are handed over.
  private static var handedOver: Int { 1 << 20 }

  /// Hands what is new to the recorders. Called when the door closes after an input.
  @inline(__always)
  mutating func flushRecording() {
    if feed.isRecording { writeOut() }
  }

  /// Writes out before much of what is being recorded could fall out of the history: what happens in one go may be more
  /// than that keeps.
  mutating func recordInTime() {
    let most = UInt64(min(500, configuration.limits.events / 2))
    if history.endEvent - feed.cursor.event > most { flushRecording() }
  }

  /// Lets the watchers know that the journal has grown since a sequence number, if it has. Called when the door closes.
  @inline(__always)
  mutating func wakeJournalWatchers(since seq: UInt64) {
    if feed.isWatched, history.nextSeq > seq { effects.tell(feed.takeWatchers(before: history.nextSeq)) }
  }

  /// Begins to write to a recorder: what the history holds without a gap first.
  mutating func startRecording(to recorder: any JournalRecorder) {
    flushRecording()
    var cursor = JournalCursor()
    while render(&cursor, from: history.completeFrom, into: feed.lines, maximumBytes: Self.handedOver) {
      recorder.record(feed.lines.bytes)
      feed.lines.removeAll()
    }
    feed.add(recorder, at: cursor)
  }

  @inline(never)
  private mutating func writeOut() {
    var cursor = feed.cursor
    while render(&cursor, from: 0, into: feed.lines, maximumBytes: Self.handedOver) { feed.handOver() }
    feed.move(to: cursor)
  }

  /// Renders lines from a place on and moves it past them; false when there is nothing more.
  /// - Parameter first: lines with a lower sequence number are passed over.
  func render(
    _ cursor: inout JournalCursor,
    from first: UInt64,
    into lines: JournalLines,
    maximumBytes: Int
  ) -> Bool {
    var number = max(cursor.notification, history.notifications.first)
    var event = max(cursor.event, history.firstEvent)
    var hasAny = false
    while lines.bytes.count < maximumBytes {
      let nextRecord = history.notifications.contains(number) ? history.notifications[number].seq : .max
      let nextEvent = event < history.endEvent ? history.event(event).seq : .max
      if nextRecord == .max, nextEvent == .max { break }
      if nextRecord < nextEvent {
        if nextRecord >= first { render(number, into: lines) }
        number += 1
      } else {
        if nextEvent >= first { lines.append(history.event(event)) }
        event += 1
      }
      hasAny = true
    }
    cursor = JournalCursor(notification: number, event: event)
    return hasAny
  }

  /// Renders the line of one notification.
  func render(_ number: UInt64, into lines: JournalLines) {
    let record = history.notifications[number]
    var device: String?
    if devices.hasNames, record.registration != Registration.none {
      // The line says the same whenever it is written.
      device = devices.givenName(of: devices.registrations[record.registration].device, at: number)
    }
    lines.append(
      record,
      number: number,
      evidence: history.evidence(of: record),
      topic: apps[record.app].key.topic,
      device: device
    )
  }
}
