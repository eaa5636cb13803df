internal import APNSimCore

/// Which connections of two captures are each other's, as far as their notifications have shown it.
///
/// Providers often send the same to the same device over several connections, with identifiers that begin anew on each:
/// which is which is told by what else came there, and by what became of it.
struct Partners {
  /// So many notifications that look the same are looked at.
  static let window = 64

  private var partners: [ConnectionID: ConnectionID] = [:]
  private var partnered: Set<ConnectionID> = []

  /// Chooses the notification that is most likely the item's own: of the connection that is its own's partner, else one
  /// of which the same became, on a connection without a partner before others.
  /// - Parameters:
  ///   - candidates: places in `items`, in their order; at least one.
  mutating func choose(
    for item: DigestItems.Entry,
    from candidates: [Int],
    of items: [DigestItems.Entry]
  ) -> Int {
    let chosen = candidates.count == 1 ? candidates[0] : likeliest(for: item, candidates, items)
    let connection = items[chosen].connection
    if partners.updateValue(connection, forKey: item.connection) != connection {
      partnered.insert(connection)
    }
    return chosen
  }

  private func likeliest(
    for item: DigestItems.Entry,
    _ candidates: [Int],
    _ items: [DigestItems.Entry]
  ) -> Int {
    func isSame(_ place: Int) -> Bool {
      items[place].outcome == item.outcome && items[place].status == item.status
    }
    if let partner = partners[item.connection],
      let place = candidates.first(where: { items[$0].connection == partner })
    {
      return place
    }
    return candidates.first { isSame($0) && !partnered.contains(items[$0].connection) }
      ?? candidates.first(where: isSame) ?? candidates[0]
  }
}
