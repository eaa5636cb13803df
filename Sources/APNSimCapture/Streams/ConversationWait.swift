import APNSimCore
import DequeModule

/// Connections that wait for what may still come, in the order in which their time is over.
struct ConversationWait: Sendable {
  struct Entry: Sendable {
    var key: Conversation.Key
    /// Which of the conversations with this key it is.
    var order: Int
    var until: Timestamp
  }

  /// How long each of them waits.
  let span: TimeSpan
  private var entries: Deque<Entry> = []

  init(_ span: TimeSpan) { self.span = span }

  var count: Int { entries.count }

  /// - Returns: until when it waits.
  @discardableResult
  mutating func add(_ key: Conversation.Key, _ order: Int, at time: Timestamp) -> Timestamp {
    let until = time + span
    entries.append(Entry(key: key, order: order, until: until))
    return until
  }

  /// Takes those whose time is over.
  mutating func takeDue(at time: Timestamp) -> [Entry] {
    guard let first = entries.first, first.until < time else { return [] }
    let due = Array(entries.prefix { $0.until < time })
    entries.removeFirst(due.count)
    return due
  }
}
