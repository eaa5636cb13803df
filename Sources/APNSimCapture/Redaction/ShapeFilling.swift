/// Replaces a text by another one of the same shape: letters and digits become others of their kind, and all else stays.
///
/// It is a permutation of the texts of one shape (a Feistel network, as in NIST SP 800-38G): under one key equal texts
/// become equal ones and different texts different ones, and without the key nothing but the shape can be told.
struct ShapeFilling {
  /// Nil: a text becomes its shape.
  let pseudonyms: TokenPseudonyms?

  /// The kinds, by their first character and their number. What is hexadecimal stays so, and what is not.
  private static let kinds: [(first: UInt8, count: UInt8)] = [
    (0x30, 10), (0x41, 6), (0x47, 20), (0x61, 6), (0x67, 20), (0x80, 64), (0xC0, 64),
  ]
  private static let kindOf: [Int?] = (0...255).map { byte in
    kinds.firstIndex { (Int($0.first)..<Int($0.first) + Int($0.count)).contains(byte) }
  }

  /// - Parameters:
  ///   - literal: the places of characters that stay.
  ///   - isKnown: what stays as it is, and what nothing else becomes.
  func filled(
    _ text: [UInt8],
    keeping literal: [Range<Int>] = [],
    unless isKnown: ([UInt8]) -> Bool = { _ in false }
  ) -> [UInt8] {
    guard !isKnown(text) else { return text }
    var other = text
    // A permutation comes back to where it began at the latest.
    repeat { other = permuted(other, keeping: literal) } while pseudonyms != nil && isKnown(other)
    return other
  }

  private func permuted(_ text: [UInt8], keeping literal: [Range<Int>]) -> [UInt8] {
    var outline = text
    var places: [(index: Int, kind: Int)] = []
    for (index, byte) in text.enumerated() {
      guard let kind = Self.kindOf[Int(byte)], !literal.contains(where: { $0.contains(index) }) else {
        continue
      }
      outline[index] = Self.kinds[kind].first
      places.append((index, kind))
    }
    guard let pseudonyms, !places.isEmpty else { return outline }
    var ranks = places.map { text[$0.index] - Self.kinds[$0.kind].first }
    let half = places.count / 2
    for round in 0..<Self.rounds {
      let (from, to) = round % 2 == 0 ? (0..<half, half..<places.count) : (half..<places.count, 0..<half)
      let root = pseudonyms.shift(of: [UInt8(round)] + outline + ranks[from])
      guard !root.isEmpty else { return outline }
      var pad: [UInt8] = []
      for (offset, place) in to.enumerated() {
        if pad.count <= offset { pad += pseudonyms.shift(of: root + Self.bytes(of: offset)) }
        guard pad.count > offset else { return outline }
        let count = Self.kinds[places[place].kind].count
        ranks[place] = UInt8((UInt16(ranks[place]) + UInt16(pad[offset])) % UInt16(count))
      }
    }
    for (place, rank) in zip(places, ranks) { outline[place.index] += rank }
    return outline
  }

  private static let rounds = 4

  private static func bytes(of number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
