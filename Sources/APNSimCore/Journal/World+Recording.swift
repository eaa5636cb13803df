internal import DequeModule
internal import APNSimWire

/// Writing the journal out: what the records say, in total order.
extension World {
  /// Hands what is new to the recorders. Called when the door closes behind an input.
  @inline(__always)
  mutating func flushRecording() {
    if recording.isActive { writeOut() }
  }

  @inline(never)
  private mutating func writeOut() {
    recording.buffer.removeAll(keepingCapacity: true)
    var lines = JournalLines(bytes: recording.buffer)
    recording.buffer = []
    var number = max(recording.nextNotification, history.notifications.first)
    var event = max(recording.nextEvent, history.firstEvent)
    while true {
      let nextRecord = history.notifications.contains(number) ? history.notifications[number].seq : .max
      let nextEvent = event < history.endEvent ? history.event(event).seq : .max
      if nextRecord == .max, nextEvent == .max { break }
      if nextRecord < nextEvent {
        write(number, to: &lines)
        number += 1
      } else {
        lines.append(history.event(event))
        event += 1
      }
    }
    recording.nextNotification = number
    recording.nextEvent = event
    lines.bytes.withUnsafeBytes { bytes in
      guard bytes.count > 0 else { return }
      for recorder in recording.recorders { recorder.record(bytes) }
    }
    recording.buffer = lines.bytes
  }

  private func write(_ number: UInt64, to lines: inout JournalLines) {
    lines.append(view(of: number, asItCameIn: true))
  }
}
