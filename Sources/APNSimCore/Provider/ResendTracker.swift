internal import APNSimWire
internal import DequeModule

/// Watches one app's providers make good what an error cost them.
///
/// After an error everything written behind it is discarded, and the provider must resend it. Discards wait here by
/// their content (token and payload: some clients number anew), and a later notification of the same content takes
/// one of them away, the one with the same identifier first.
struct ResendTracker {
  private struct Pending {
    let connection: ConnectionRecord
    let index: Int
    let identifier: NotificationIdentifier
  }

  /// Taken ones become nil until all are.
  private var pending: [Pending?] = []
  private var exact: [Exact: Deque<Int>] = [:]
  private var byContent: [UInt64: Deque<Int>] = [:]
  private(set) var count = 0
  private let limit: Int

  private struct Exact: Hashable {
    var content: UInt64
    var identifier: NotificationIdentifier
  }

  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { count == 0 }

  mutating func discarded(
    content: UInt64,
    identifier: NotificationIdentifier,
    connection: ConnectionRecord,
    index: Int
  ) {
    guard pending.count < limit else { return }
    let place = pending.count
    pending.append(Pending(connection: connection, index: index, identifier: identifier))
    exact[Exact(content: content, identifier: identifier), default: []].append(place)
    byContent[content, default: []].append(place)
    count += 1
  }

  /// A notification came in: if it makes good an earlier discard, marks that and says which.
  mutating func received(
    content: UInt64,
    identifier: NotificationIdentifier
  ) -> (connection: ConnectionID, reference: ProviderReference)? {
    let key = Exact(content: content, identifier: identifier)
    guard let place = takeFirst(&exact[key]) ?? takeFirst(&byContent[content]), let found = pending[place]
    else { return nil }
    found.connection.discarded[found.index].wasResent = true
    pending[place] = nil
    count -= 1
    if count == 0 { removeAll() }
    return (found.connection.id, found.connection.discarded[found.index].reference)
  }

  mutating func removeAll() {
    pending = []
    exact = [:]
    byContent = [:]
    count = 0
  }

  /// The first place of a queue that was not taken through the other one.
  private func takeFirst(_ queue: inout Deque<Int>?) -> Int? {
    while let place = queue?.popFirst() {
      if pending[place] != nil { return place }
    }
    queue = nil
    return nil
  }
}
