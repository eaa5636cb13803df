internal import APNSimWire
internal import DequeModule

/// Writing the journal out: what the records say, in total order.
extension World {
  /// Hands what is new to the recorders. Called when the door closes behind an input.
  @inline(__always)
  mutating func flushRecording() {
    if recording.isActive { writeOut() }
  }

  @inline(never)
  private mutating func writeOut() {
    var number = max(recording.nextNotification, history.notifications.first)
    var event = max(recording.nextEvent, history.firstEvent)
    while true {
      let nextRecord = history.notifications.contains(number) ? history.notifications[number].seq : .max
      let nextEvent = event < history.endEvent ? history.event(event).seq : .max
      if nextRecord == .max, nextEvent == .max { break }
      if nextRecord < nextEvent {
        recording.lines.append(view(of: number, asItCameIn: true))
        number += 1
      } else {
        recording.lines.append(history.event(event))
        event += 1
      }
    }
    recording.nextNotification = number
    recording.nextEvent = event
    recording.lines.bytes.withUnsafeBytes { bytes in
      guard bytes.count > 0 else { return }
      for recorder in recording.recorders { recorder.record(bytes) }
    }
    recording.lines.removeAll()
  }
}
