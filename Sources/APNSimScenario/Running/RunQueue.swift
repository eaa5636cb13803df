import APNSimCore
import HeapModule

/// The remaining tasks of a run, in the order of time and, at one moment, of insertion.
struct RunQueue {
  enum Task {
    case step(TrafficStep)
    case check(ScriptCheck)
    /// The delayed handshake of a connection begins.
    case handshake(String, ordinal: UInt32)
    /// Bytes reach a provider, as one record.
    case arrival(String, [UInt8])
    /// The answer to a request reaches its provider.
    case answer(String, String)
    case ending(String, TrafficEnding)
    case closeAfterHandshake(String)
  }

  struct Entry: Comparable {
    let at: Timestamp
    let order: Int
    let task: Task

    static func < (left: Entry, right: Entry) -> Bool { (left.at, left.order) < (right.at, right.order) }

    static func == (left: Entry, right: Entry) -> Bool { left.order == right.order }
  }

  private var entries = Heap<Entry>()
  private var nextOrder = 0

  var next: Timestamp? { entries.min?.at }

  mutating func add(_ task: Task, at moment: Timestamp) {
    entries.insert(Entry(at: moment, order: nextOrder, task: task))
    nextOrder += 1
  }

  mutating func take() -> Entry? { entries.popMin() }
}
