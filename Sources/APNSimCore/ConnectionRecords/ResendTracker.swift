import APNSimWire

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
    let token: UInt64
    let content: UInt64
    let identifier: NotificationIdentifier
    /// The hash of its payload's bytes; nil for one that was followed before a restart.
    let bytes: UInt64?
    /// Its place in the order of discarding.
    let place: UInt64
  }

  /// The discards that wait, in rows that are used again.
  private var rows: [Followed] = []
  private var free: [UInt32] = []
  /// Rows by what finds them. A place, and at most that, is one row's own.
  private var places = HashQueues()
  private var exact = HashQueues()
  private var byContent = HashQueues()
  private var byToken = HashQueues()
  /// The least place that can be waiting.
  private var oldest: UInt64 = 0
  private var next: UInt64 = 0
  /// As many discards wait.
  var limit: Int

  /// The most discards to one token that are searched for the same bytes.
  private static let mostCompared = 4

  init(limit: Int) { self.limit = limit }

  var count: Int { rows.count - free.count }
  var isEmpty: Bool { count == 0 }

  /// True if a discard waits for a notification to this token, given by its hash.
  func awaits(token: UInt64) -> Bool { byToken.first(token) != nil }

  /// Follows a discarded notification until it comes again.
  /// - Returns: its place, nil where there is no room; and the discard that is not followed any more for it.
  mutating func follow(
    _ discard: Discard,
    _ content: inout NotificationContent,
    _ identifier: NotificationIdentifier
  ) -> (place: UInt64?, givenUp: Discard?) {
    let givenUp = count >= limit ? giveUpOldest() : nil
    guard count < limit else { return (nil, givenUp) }
    let place = next
    let followed = Followed(
      discard: discard,
      token: content.token,
      content: content.hash,
      identifier: identifier,
      bytes: content.bytes,
      place: place
    )
    follow(followed)
    next += 1
    return (place, givenUp)
  }

  private mutating func follow(_ followed: Followed) {
    let row = free.popLast() ?? UInt32(rows.count)
    if row < rows.count { rows[Int(row)] = followed } else { rows.append(followed) }
    places.append(row, to: followed.place)
    exact.append(row, to: Self.exact(followed.content, followed.identifier))
    byContent.append(row, to: followed.content)
    byToken.append(row, to: followed.token)
  }

  /// The key that finds a content with an identifier.
  private static func exact(_ content: UInt64, _ identifier: NotificationIdentifier) -> UInt64 {
    var hash = Hash64(seed: content)
    hash.combine(UInt64(identifier.rawValue))
    return hash.finalize()
  }

  /// Takes the discard that a notification which has come in makes good. What was written after the same error does
  /// not: it is another notification, however like the first.
  /// - Parameters:
  ///   - connection: the one that the notification came on.
  ///   - orOnItself: it may also make good what its own connection lost, where the identifier is the same.
  mutating func received(
    _ content: inout NotificationContent,
    _ identifier: NotificationIdentifier,
    on connection: ConnectionID,
    orOnItself: Bool = false
  ) -> Discard? {
    guard awaits(token: content.token) else { return nil }
    lookForBytes(of: &content)
    let same = exact.first(Self.exact(content.hash, identifier))
    if orOnItself, let same { return take(same) }
    guard
      let row = another(same, besides: connection)
        ?? another(byContent.first(content.hash), besides: connection)
    else { return nil }
    return take(row)
  }

  /// Looks for a discard of the same bytes, whose content is known. What has the same bytes has the same meaning, and its
  /// payload need not be looked into.
  private func lookForBytes(of content: inout NotificationContent) {
    let bytes = content.bytes
    var row = byToken.first(content.token)
    for _ in 0..<Self.mostCompared {
      guard let found = row else { return }
      if rows[Int(found)].bytes == bytes { return content.take(rows[Int(found)].content) }
      row = byToken.next(after: found)
    }
  }

  /// Forgets the discard of a place.
  /// - Returns: whether it had not come again.
  mutating func forget(_ place: UInt64) -> Bool {
    guard let row = places.first(place) else { return false }
    _ = take(row)
    return true
  }

  /// The first row of a queue, unless it is the connection's own. Those after it are hardly another's: whoever has sent
  /// the same since has taken that connection's rows away.
  private func another(_ first: UInt32?, besides connection: ConnectionID) -> UInt32? {
    guard let first, rows[Int(first)].discard.connection != connection else { return nil }
    return first
  }

  private mutating func giveUpOldest() -> Discard? {
    while oldest < next {
      defer { oldest += 1 }
      if let row = places.first(oldest) { return take(row) }
    }
    return nil
  }

  private mutating func take(_ row: UInt32) -> Discard {
    places.remove(row)
    exact.remove(row)
    byContent.remove(row)
    byToken.remove(row)
    free.append(row)
    return rows[Int(row)].discard
  }
}

/// The queues are made anew from the discards that wait: they find the same.
extension ResendTracker: KeptByMembers {
  static let members = Members(checked: Self.init, \.keptRows, \.next)

  private var keptRows: KeptRows<Row> { KeptRows(waiting.map(Row.init)) }

  private init(_ state: StateReader, _ waiting: KeptRows<Row>, _ next: UInt64) throws(StateError) {
    self.init(limit: 0)
    try state.expectCounted(next)
    self.next = next
    rows.reserveCapacity(waiting.records.count)
    var free: UInt64 = 0
    for row in waiting.records {
      guard row.place >= free, row.place < next, let followed = row.followed else {
        throw state.error("a discard at a place from \(free) to \(next) was expected, and \(row.place) found")
      }
      free = row.place + 1
      follow(followed)
    }
    oldest = waiting.records.first?.place ?? next
  }

  /// The waiting ones, in the order of their places.
  private var waiting: [Followed] {
    rows.enumerated().lazy.filter { places.first($1.place) == UInt32($0) }.map(\.element)
      .sorted { $0.place < $1.place }
  }

  /// The discards that wait: their connections have them.
  var discards: [Discard] { waiting.map(\.discard) }

  /// A discard that waits, without room between the members.
  private struct Row: BitwiseCopyable {
    let place: UInt64
    let content: UInt64
    let token: UInt64
    let index: Int64
    let connection: UInt32
    let identifier: UInt32

    init(_ followed: Followed) {
      place = followed.place
      content = followed.content
      token = followed.token
      index = Int64(followed.discard.index)
      connection = followed.discard.connection.rawValue
      identifier = followed.identifier.rawValue
    }

    /// Nil for the index of no discard.
    var followed: Followed? {
      guard let index = Int(exactly: index), index >= 0 else { return nil }
      return Followed(
        discard: Discard(connection: ConnectionID(rawValue: connection), index: index),
        token: token,
        content: content,
        identifier: NotificationIdentifier(rawValue: identifier),
        bytes: nil,
        place: place
      )
    }
  }
}
