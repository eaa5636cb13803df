/// Places of notifications by what they look like, the first ones first: a hash table of chains, as those of a capture
/// may be many millions.
struct Lookalikes {
  /// The first place of each chain, and the one behind each place; -1 where there is none.
  private var heads: [Int]
  private var next: [Int]

  /// - Parameter hash: of what the notification at a place looks like.
  init(count: Int, hash: (Int) -> Int) {
    var buckets = 1
    while buckets < count { buckets *= 2 }
    heads = [Int](repeating: -1, count: buckets)
    next = [Int](repeating: -1, count: count)
    for place in (0..<count).reversed() {
      let bucket = hash(place) & (buckets - 1)
      next[place] = heads[bucket]
      heads[bucket] = place
    }
  }

  /// Puts the first places that look the same into `places`.
  /// - Parameters:
  ///   - most: how many at most.
  ///   - isSame: a hash is not everything.
  func find(_ hash: Int, most: Int, into places: inout [Int], isSame: (Int) -> Bool) {
    places.removeAll(keepingCapacity: true)
    var place = heads[hash & (heads.count - 1)]
    while place >= 0, places.count < most {
      if isSame(place) { places.append(place) }
      place = next[place]
    }
  }

  /// Takes away a place that was found.
  mutating func remove(_ place: Int, _ hash: Int) {
    let bucket = hash & (heads.count - 1)
    guard heads[bucket] != place else {
      heads[bucket] = next[place]
      return
    }
    var before = heads[bucket]
    while before >= 0, next[before] != place { before = next[before] }
    if before >= 0 { next[before] = next[place] }
  }
}
