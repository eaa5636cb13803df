import APNSimCore

/// Connections that are held back for their services to be seen, in the order in which their time is over.
///
/// Captures of several processors are a little out of order: a SYN-ACK may stand behind the provider's first bytes.
struct ServiceWait: Sendable {
  struct Entry: Sendable {
    var key: Conversation.Key
    /// Which of the conversations with this key it is.
    var order: Int
    var until: Timestamp
  }

  private var entries: [Entry] = []

  /// A SYN-ACK is so late at most.
  private static let longest = TimeSpan(milliseconds: 100)
  /// So many pieces of a conversation wait at most.
  static let mostPieces = 8

  var count: Int { entries.count }

  /// - Returns: until when it waits.
  mutating func add(_ key: Conversation.Key, _ order: Int, at time: Timestamp) -> Timestamp {
    let until = time + Self.longest
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
