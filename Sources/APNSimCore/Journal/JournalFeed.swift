/// Takes the journal as it is written: JSON lines, in total order.
///
/// It is called under the simulator's lock and is to copy and return.
package protocol JournalRecorder: AnyObject, Sendable {
  func record(_ lines: UnsafeRawBufferPointer)
}

/// A place in the journal: everything below these has been written.
struct JournalCursor {
  var notification: UInt64 = 1
  var event: UInt64 = 1
}

/// Somebody who waits for the journal to reach a sequence number, and is told once.
package final class JournalWatcher: Sendable {
  let seq: UInt64
  let tell: @Sendable () -> Void

  init(_ seq: UInt64, _ tell: @escaping @Sendable () -> Void) {
    self.seq = seq
    self.tell = tell
  }
}

/// The followers of the journal: recorders that are handed every line, readers that take lines at their own pace, and
/// watchers that are told once there are more.
struct JournalFeed {
  private var recorders: [any JournalRecorder] = []
  /// The place of all recorders: one that is added later is brought here first.
  private(set) var cursor = JournalCursor()
  /// Renders the lines of recorders; empty between two writings.
  let lines = JournalLines()
  /// The places of readers.
  private(set) var places: [JournalPlace] = []
  private var watchers: [JournalWatcher] = []

  @inline(__always)
  var isRecording: Bool { !recorders.isEmpty }

  /// Adds a recorder, which has the lines up to the cursor already.
  mutating func add(_ recorder: any JournalRecorder, at cursor: JournalCursor) {
    recorders.append(recorder)
    self.cursor = cursor
  }

  /// Puts a recorder in the place of another one, which has all lines up to the cursor; false if that is not there.
  mutating func replace(_ recorder: any JournalRecorder, with next: any JournalRecorder) -> Bool {
    guard let index = recorders.firstIndex(where: { $0 === recorder }) else { return false }
    recorders[index] = next
    return true
  }

  mutating func remove(_ recorder: any JournalRecorder) { recorders.removeAll { $0 === recorder } }

  /// Hands the rendered lines to all recorders.
  func handOver() {
    for recorder in recorders { recorder.record(lines.bytes) }
    lines.removeAll()
  }

  mutating func move(to cursor: JournalCursor) { self.cursor = cursor }

  mutating func add(_ place: JournalPlace) { places.append(place) }

  mutating func remove(_ place: JournalPlace) { places.removeAll { $0 === place } }

  var watcherCount: Int { watchers.count }

  @inline(__always)
  var isWatched: Bool { !watchers.isEmpty }

  mutating func add(_ watcher: JournalWatcher) { watchers.append(watcher) }

  mutating func remove(_ watcher: JournalWatcher) { watchers.removeAll { $0 === watcher } }

  /// Takes the watchers of sequence numbers below this one.
  @inline(never)
  mutating func takeWatchers(before seq: UInt64) -> [JournalWatcher] {
    let due = watchers.filter { $0.seq < seq }
    if !due.isEmpty { watchers.removeAll { $0.seq < seq } }
    return due
  }
}
