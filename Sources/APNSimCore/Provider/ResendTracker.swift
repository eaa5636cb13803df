import APNSimWire
import DequeModule

/// Watches one app's providers make good what an error cost them.
///
/// After an error everything else that is written is discarded, and the provider must resend it. Discards wait here by
/// their content (token and meaning of the payload: some clients number anew), and a later notification of the same content on another
/// connection takes one of them away, the one with the same identifier first; it may be discarded itself, and wait in
/// its turn. Past the limit the oldest gives way: a provider that resends does so at once, so what has waited longest is
/// what will hardly come.
struct ResendTracker {
  /// One of the notifications that a connection discarded, by its index among them.
  struct Discard: Hashable {
    let connection: ConnectionID
    let index: Int
  }

  private struct Followed {
    let discard: Discard
    let key: Exact
    let token: UInt64
  }

  private struct Exact: Hashable {
    var content: UInt64
    var identifier: NotificationIdentifier
  }

  /// The discards that wait, by their places in the order of discarding.
  private var waiting: [UInt64: Followed] = [:]
  /// Places, in order, by what finds them. The first of a queue always waits; after it may be some that do not any
  /// more, of which there are never many more than of the others.
  private var exact: [Exact: Deque<UInt64>] = [:]
  private var byContent: [UInt64: Deque<UInt64>] = [:]
  /// The number of discards that wait for a notification to each token, by the token's hash.
  private var tokens: [UInt64: Int] = [:]
  /// Places, in order, and among them some that do not wait any more.
  private var order: Deque<UInt64> = []
  /// Places that have not waited since the queues were made.
  private var gone = 0
  private var next: UInt64 = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var count: Int { waiting.count }
  var isEmpty: Bool { waiting.isEmpty }

  /// True if a discard waits for a notification to this token, given by its hash: only then its payload is looked into.
  func awaits(token: UInt64) -> Bool { tokens[token] != nil }

  /// Follows a discarded notification until it comes again.
  /// - Returns: its place, nil where there is no room; and the discard that is not followed any more for it.
  mutating func follow(
    _ discard: Discard,
    token: UInt64,
    content: UInt64,
    identifier: NotificationIdentifier
  ) -> (place: UInt64?, givenUp: Discard?) {
    let givenUp = count >= limit ? giveUpOldest() : nil
    guard count < limit else { return (nil, givenUp) }
    let key = Exact(content: content, identifier: identifier)
    let place = next
    follow(Followed(discard: discard, key: key, token: token), at: place)
    next += 1
    return (place, givenUp)
  }

  private mutating func follow(_ followed: Followed, at place: UInt64) {
    waiting[place] = followed
    tokens[followed.token, default: 0] += 1
    enqueue(followed, at: place)
  }

  private mutating func enqueue(_ followed: Followed, at place: UInt64) {
    exact[followed.key, default: []].append(place)
    byContent[followed.key.content, default: []].append(place)
    order.append(place)
  }

  /// Takes the discard that a notification which has come in makes good. What was written after the same error does
  /// not: it is another notification, however like the first.
  /// - Parameters:
  ///   - connection: the one that the notification came on.
  ///   - orOnItself: it may also make good what its own connection lost, where the identifier is the same.
  mutating func received(
    content: UInt64,
    identifier: NotificationIdentifier,
    on connection: ConnectionID,
    orOnItself: Bool = false
  ) -> Discard? {
    let key = Exact(content: content, identifier: identifier)
    if orOnItself, let place = exact[key]?.first { return take(place) }
    guard
      let place = first(of: exact[key], besides: connection)
        ?? first(of: byContent[content], besides: connection)
    else { return nil }
    return take(place)
  }

  /// Forgets the discard of a place.
  /// - Returns: whether it had not come again.
  mutating func forget(_ place: UInt64) -> Bool { take(place) != nil }

  /// The first place of a queue, unless it is the connection's own. Those after it are hardly another's: whoever has sent
  /// the same since has taken that connection's places away.
  private func first(of queue: Deque<UInt64>?, besides connection: ConnectionID) -> UInt64? {
    guard let place = queue?.first, waiting[place]?.discard.connection != connection else { return nil }
    return place
  }

  private mutating func giveUpOldest() -> Discard? {
    while let oldest = order.popFirst() {
      if let found = take(oldest) { return found }
    }
    return nil
  }

  private mutating func take(_ place: UInt64) -> Discard? {
    guard let found = waiting.removeValue(forKey: place) else { return nil }
    gone += 1
    let left = tokens[found.token, default: 1] - 1
    tokens[found.token] = left > 0 ? left : nil
    if waiting.isEmpty || gone > 2 * waiting.count + 64 {
      makeQueues()
    } else {
      Self.tidy(&exact[found.key], waiting)
      Self.tidy(&byContent[found.key.content], waiting)
    }
    return found.discard
  }

  /// Takes off the front of a queue what does not wait any more.
  private static func tidy(_ queue: inout Deque<UInt64>?, _ waiting: [UInt64: Followed]) {
    while let place = queue?.first, waiting[place] == nil { queue?.removeFirst() }
    if queue?.isEmpty == true { queue = nil }
  }

  private var inOrder: [(key: UInt64, value: Followed)] { waiting.sorted { $0.key < $1.key } }

  /// Makes the queues anew from what waits.
  private mutating func makeQueues() {
    (exact, byContent, order, gone) = ([:], [:], [], 0)
    for (place, followed) in inOrder { enqueue(followed, at: place) }
  }
}

extension ResendTracker {
  /// A discard that waits, without room between the members.
  private struct Row: BitwiseCopyable {
    let place: UInt64
    let content: UInt64
    let token: UInt64
    let index: Int64
    let connection: UInt32
    let identifier: UInt32

    init(_ place: UInt64, _ followed: Followed) {
      self.place = place
      content = followed.key.content
      token = followed.token
      index = Int64(followed.discard.index)
      connection = followed.discard.connection.rawValue
      identifier = followed.key.identifier.rawValue
    }
  }

  /// The discards that wait, in no order: their connections have them.
  var discards: some Collection<Discard> { waiting.values.lazy.map(\.discard) }

  /// What waits. The queues are made anew from it: they find the same.
  func write(to state: inout StateWriter) {
    inOrder.map { Row($0.key, $0.value) }.withUnsafeBufferPointer { state.write(rows: $0) }
    next.write(to: &state)
  }

  init(reading state: inout StateReader, limit: Int) throws(StateError) {
    self.init(limit: limit)
    let rows = Array(try state.rows(Row.self))
    next = try state.counted()
    waiting.reserveCapacity(rows.count)
    var free: UInt64 = 0
    for row in rows {
      guard row.place >= free, row.place < next, let index = Int(exactly: row.index), index >= 0 else {
        throw state.error("a discard at a place from \(free) to \(next) was expected, and \(row.place) found")
      }
      free = row.place + 1
      let key = Exact(content: row.content, identifier: NotificationIdentifier(rawValue: row.identifier))
      let discard = Discard(connection: ConnectionID(rawValue: row.connection), index: index)
      follow(Followed(discard: discard, key: key, token: row.token), at: row.place)
    }
  }
}
