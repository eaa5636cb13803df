internal import APNSimCore

/// Which connections of two captures are each other's, as far as their notifications have shown it.
///
/// Providers often send the same to the same device over several connections, with identifiers that begin anew on each:
/// which is which is told by what else came there, and by what became of it.
struct Partners {
  /// So many notifications that look the same are looked at.
  private static let window = 64

  private var partners: [ConnectionID: ConnectionID] = [:]
  private var partnered: Set<ConnectionID> = []

  /// Takes the notification that is most likely the item's own: of the connection that is its own's partner, else one
  /// of which the same became, on a connection without a partner before others.
  /// - Parameter candidates: places in `items`, in their order.
  /// - Returns: nil where there is no candidate.
  mutating func take(
    _ item: CaptureDigest.Item,
    from candidates: inout ArraySlice<Int>,
    of items: [CaptureDigest.Item]
  ) -> Int? {
    guard !candidates.isEmpty else { return nil }
    let near = candidates.prefix(Self.window)
    let partner = partners[item.connection]
    func place(where isLikely: (CaptureDigest.Item) -> Bool) -> Int? {
      near.firstIndex { isLikely(items[$0]) }
    }
    func isSame(_ other: CaptureDigest.Item) -> Bool {
      other.outcome == item.outcome && other.status == item.status
    }
    let chosen =
      partner.flatMap { partner in place { $0.connection == partner } }
      ?? place { isSame($0) && !partnered.contains($0.connection) } ?? place(where: isSame) ?? near.startIndex
    let index = candidates[chosen]
    // Those before it move up, which are few; what is behind it are perhaps very many.
    for place in stride(from: chosen, to: candidates.startIndex, by: -1) {
      candidates[place] = candidates[place - 1]
    }
    candidates.removeFirst()
    partners[item.connection] = items[index].connection
    partnered.insert(items[index].connection)
    return index
  }
}
