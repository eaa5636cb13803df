internal import APNSimWire
internal import DequeModule

/// Watches one app's providers make good what an error cost them.
///
/// After an error everything written after it is discarded, and the provider must resend it. Discards wait here by
/// their content (token and payload: some clients number anew), and a later notification of the same content on another
/// connection takes one of them away, the one with the same identifier first; it may be discarded itself, and wait in
/// its turn. Past the limit the oldest gives way: a provider that resends does so at once, so what has waited longest is
/// what will hardly come.
struct ResendTracker {
  private struct Followed {
    let connection: GatewayRecord
    let index: Int
    let key: Exact
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
  /// Places that have not waited since the queues were made.
  private var gone = 0
  /// No place below this one waits.
  private var oldest: UInt64 = 0
  private var next: UInt64 = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var count: Int { waiting.count }
  var isEmpty: Bool { waiting.isEmpty }

  /// Follows what was discarded as `connection.discarded[index]`.
  /// - Returns: how many are not followed any more for it.
  mutating func follow(
    content: UInt64,
    identifier: NotificationIdentifier,
    connection: GatewayRecord,
    index: Int
  ) -> Int {
    let givenUp = count >= limit ? giveUpOldest() : 0
    guard count < limit else {
      connection.discarded[index].fate = .notFollowed
      return 1
    }
    let key = Exact(content: content, identifier: identifier)
    waiting[next] = Followed(connection: connection, index: index, key: key)
    exact[key, default: []].append(next)
    byContent[content, default: []].append(next)
    connection.discarded[index].fate = .awaited(place: next)
    connection.awaited += 1
    next += 1
    return givenUp
  }

  /// Whether anything waits that was discarded on another connection.
  func isWaiting(besides connection: GatewayRecord) -> Bool { waiting.count > connection.awaited }

  /// A notification came in: if it makes good an earlier discard, marks that and says which. What was written after
  /// the same error does not: it is another notification, however like the first.
  mutating func received(
    content: UInt64,
    identifier: NotificationIdentifier,
    on connection: GatewayRecord
  ) -> (connection: ConnectionID, reference: ProviderReference)? {
    guard isWaiting(besides: connection) else { return nil }
    let key = Exact(content: content, identifier: identifier)
    guard
      let place = first(of: exact[key], besides: connection)
        ?? first(of: byContent[content], besides: connection),
      let found = take(place)
    else { return nil }
    found.connection.discarded[found.index].fate = .resent
    return (found.connection.id, found.connection.discarded[found.index].reference)
  }

  /// A connection leaves the history: nobody will ask for its report.
  /// - Returns: how many of its discards had not come again.
  mutating func forget(_ connection: GatewayRecord) -> Int {
    var forgotten = 0
    for discard in connection.discarded {
      if case .awaited(let place) = discard.fate, take(place) != nil { forgotten += 1 }
    }
    return forgotten
  }

  /// The first place of a queue, unless it is the connection's own. Those after it are hardly another's: whoever has sent
  /// the same since has taken that connection's places away.
  private func first(of queue: Deque<UInt64>?, besides connection: GatewayRecord) -> UInt64? {
    guard let place = queue?.first, waiting[place]?.connection !== connection else { return nil }
    return place
  }

  private mutating func giveUpOldest() -> Int {
    while oldest < next {
      oldest += 1
      guard let found = take(oldest - 1) else { continue }
      found.connection.discarded[found.index].fate = .notFollowed
      return 1
    }
    return 0
  }

  private mutating func take(_ place: UInt64) -> Followed? {
    guard let found = waiting.removeValue(forKey: place) else { return nil }
    found.connection.awaited -= 1
    gone += 1
    if waiting.isEmpty || gone > 2 * waiting.count + 64 {
      makeQueues()
    } else {
      Self.tidy(&exact[found.key], waiting)
      Self.tidy(&byContent[found.key.content], waiting)
    }
    return found
  }

  /// Takes off the front of a queue what does not wait any more.
  private static func tidy(_ queue: inout Deque<UInt64>?, _ waiting: [UInt64: Followed]) {
    while let place = queue?.first, waiting[place] == nil { queue?.removeFirst() }
    if queue?.isEmpty == true { queue = nil }
  }

  /// Makes the queues anew from what waits.
  private mutating func makeQueues() {
    (exact, byContent, gone) = ([:], [:], 0)
    for (place, followed) in waiting.sorted(by: { $0.key < $1.key }) {
      exact[followed.key, default: []].append(place)
      byContent[followed.key.content, default: []].append(place)
    }
  }
}
