import APNSimCore

/// What a run has still to do, in the order of time and, at one moment, of arrival.
struct RunQueue {
  enum Task {
    case step(TrafficStep)
    case check(ScriptCheck)
    /// The handshake of a connection that had to wait begins.
    case handshake(String, ordinal: UInt32)
    /// Bytes reach a provider, as one record.
    case arrival(String, [UInt8])
    case ending(String, TrafficEnding)
    case closeAfterHandshake(String)
  }

  struct Entry {
    let at: Timestamp
    let order: Int
    let task: Task
  }

  /// The latest first, so that the next one is taken from the end.
  private var entries: [Entry] = []
  private var nextOrder = 0

  var next: Timestamp? { entries.last?.at }

  mutating func add(_ task: Task, at moment: Timestamp) {
    // Among equals the new one is the last to come, so it stands before them.
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].at > moment { low = middle + 1 } else { high = middle }
    }
    entries.insert(Entry(at: moment, order: nextOrder, task: task), at: low)
    nextOrder += 1
  }

  mutating func take() -> Entry? { entries.popLast() }
}
