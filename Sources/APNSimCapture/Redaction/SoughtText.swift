/// A text that is looked for inside of others, in time that grows with their lengths and no faster.
struct SoughtText {
  let characters: [UInt32]
  /// What it alone decides.
  let pad: [UInt8]
  /// For each beginning of it, how much of that is both its end and a beginning (Knuth, Morris, Pratt, "Fast pattern
  /// matching in strings", 1977).
  private let borders: [Int]

  /// - Parameter characters: one at least.
  init(_ characters: [UInt32], pad: [UInt8]) {
    (self.characters, self.pad) = (characters, pad)
    var borders = [Int](repeating: 0, count: characters.count)
    var matched = 0
    for place in characters.indices.dropFirst() {
      while matched > 0, characters[place] != characters[matched] { matched = borders[matched - 1] }
      if characters[place] == characters[matched] { matched += 1 }
      borders[place] = matched
    }
    self.borders = borders
  }

  /// Where it begins, overlapping ones included, in ascending order.
  func places(in text: [UInt32]) -> [Int] {
    var found: [Int] = []
    var matched = 0
    for (place, character) in text.enumerated() {
      while matched > 0, character != characters[matched] { matched = borders[matched - 1] }
      if character == characters[matched] { matched += 1 }
      guard matched == characters.count else { continue }
      found.append(place + 1 - matched)
      matched = borders[matched - 1]
    }
    return found
  }
}
