/// The places of notifications by the hash of their key, the first ones first: a hash table of chains for many millions of them.
struct CandidateIndex {
  /// The first place of each chain, and the next one after each place; -1 where there is none.
  private var heads: [Int]
  private var next: [Int]

  /// - Parameter hash: the hash of the notification at a place.
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

  /// Puts the first places with an equal key into `places`.
  /// - Parameters:
  ///   - most: the most places.
  ///   - isSame: compares the keys of two places with equal hashes.
  func find(_ hash: Int, most: Int, into places: inout [Int], isSame: (Int) -> Bool) {
    places.removeAll(keepingCapacity: true)
    var place = heads[hash & (heads.count - 1)]
    while place >= 0, places.count < most {
      if isSame(place) { places.append(place) }
      place = next[place]
    }
  }

  /// Removes a place that was found.
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
