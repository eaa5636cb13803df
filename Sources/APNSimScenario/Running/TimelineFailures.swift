import APNSimCore
import APNSimWire
import Synchronization

/// Finds in the journal what the timeline could not do, so that a run does not pass in spite of it.
final class TimelineFailures: JournalRecorder {
  private let found = Mutex<[String]>([])

  var all: [String] { found.withLock { $0 } }

  func record(_ lines: UnsafeRawBufferPointer) {
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      // The event's name stands in the first of the line: most lines are notifications and much longer.
      guard String(decoding: line.prefix(100), as: UTF8.self).contains(#""timelineFailed""#) else { continue }
      let text = String(decoding: line, as: UTF8.self)
      let members = (try? JSONValue.parse(text))?.objectValue ?? []
      let time = members.first { $0.key == "time" }?.value.stringValue ?? ""
      let known = ["seq", "time", "event"]
      let reason = members.first { !known.contains($0.key) }?.value.stringValue ?? "it could not be done"
      found.withLock { $0.append("timeline at \(time): \(reason)") }
    }
  }
}
