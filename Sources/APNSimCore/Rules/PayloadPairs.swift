import APNSimWire

/// The pairs of neighbouring characters in a payload, of those that rules ask for: a text that is there has all its
/// pairs there. Each is looked for when the first rule asks, once for a notification, however many rules ask.
struct PayloadPairs: BitwiseCopyable {
  /// The pairs of all rules, and sets of them as bits; those beyond 64 are not asked for.
  struct Catalogue {
    fileprivate var pairs: [(UInt8, UInt8)] = []

    /// The set of the pairs of a text.
    mutating func set(of text: String) -> UInt64 {
      var set: UInt64 = 0
      for pair in zip(text.utf8, text.utf8.dropFirst()) {
        let known = pairs.firstIndex { $0 == pair }
        if known == nil, pairs.count < UInt64.bitWidth { pairs.append(pair) }
        if let place = known ?? pairs.indices.last, pairs[place] == pair { set |= 1 << UInt64(place) }
      }
      return set
    }
  }

  private var known: UInt64 = 0
  private var absent: UInt64 = 0

  /// Another notification has its turn.
  @inline(__always)
  mutating func forget() { (known, absent) = (0, 0) }

  /// True where the payload may have all the pairs of a set.
  @inline(__always)
  mutating func mayHave(
    _ set: UInt64,
    of catalogue: Catalogue,
    _ submission: Submission,
    in buffer: UnsafeRawBufferPointer
  ) -> Bool {
    if set & absent != 0 { return false }
    return set & ~known == 0 || lookFor(set & ~known, of: catalogue, submission, in: buffer)
  }

  /// Looks for the pairs of a set up to the first one that is not there.
  @inline(never)
  private mutating func lookFor(
    _ set: UInt64,
    of catalogue: Catalogue,
    _ submission: Submission,
    in buffer: UnsafeRawBufferPointer
  ) -> Bool {
    guard submission.verdict.isPlain else {
      // It may write the same text in several ways, so nothing can be said.
      known = .max
      return true
    }
    let payload = submission.payload(in: buffer)
    for (place, pair) in catalogue.pairs.enumerated() where set & 1 << UInt64(place) != 0 {
      known |= 1 << UInt64(place)
      if !Self.has(pair, payload) {
        absent |= 1 << UInt64(place)
        return false
      }
    }
    return true
  }

  /// Without a way out on the way, so that many are compared at a time.
  private static func has(_ pair: (UInt8, UInt8), _ payload: UnsafeRawBufferPointer) -> Bool {
    guard let bytes = payload.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
    var found: UInt8 = 0
    for place in 0..<max(0, payload.count - 1) {
      found |= (bytes[place] == pair.0 ? 1 : 0) & (bytes[place &+ 1] == pair.1 ? 1 : 0)
    }
    return found != 0
  }
}
