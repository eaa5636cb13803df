internal import NIOCore

/// The connections of one event loop that have not finished their handshake, oldest first, up to a limit.
///
/// Past the limit the oldest has to go: a handshake takes milliseconds, so the oldest of many is the one that will
/// never finish, and a crowd of silent peers cannot keep providers out.
struct HandshakeQueue {
  private var waiting: CircularBuffer<any Channel> = []
  private var unfinished: Set<ObjectIdentifier> = []
  private let limit: Int

  init(limit: Int) { self.limit = max(1, limit) }

  /// Adds a connection and returns the one that has to make room, if any.
  mutating func begin(_ channel: any Channel) -> (any Channel)? {
    var evicted: (any Channel)?
    if unfinished.count >= limit {
      while evicted == nil, let oldest = waiting.popFirst() {
        if unfinished.remove(ObjectIdentifier(oldest)) != nil { evicted = oldest }
      }
    }
    if waiting.count > 2 * limit + 16 {
      waiting = CircularBuffer(waiting.filter { unfinished.contains(ObjectIdentifier($0)) })
    }
    waiting.append(channel)
    unfinished.insert(ObjectIdentifier(channel))
    return evicted
  }

  /// The handshake is over, one way or the other.
  mutating func end(_ channel: any Channel) {
    guard unfinished.remove(ObjectIdentifier(channel)) != nil else { return }
    while let oldest = waiting.first, !unfinished.contains(ObjectIdentifier(oldest)) { waiting.removeFirst() }
  }
}
