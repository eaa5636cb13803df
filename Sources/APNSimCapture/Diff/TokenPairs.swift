import APNSimCore
import APNSimWire

/// The pairs of tokens of two captures that mean the same device, where one is redacted, or each with a key of its own.
///
/// Two notifications that differ only in their tokens pair these, in their order; a token has one counterpart.
struct TokenPairs {
  /// The captures have the same tokens for the same devices.
  let areSame: Bool
  /// The number in the first capture of each token of the second; tokens that only the second has get further numbers.
  let numbers: [UInt32]

  /// A notification without its token, except for the token's length and scripted bytes.
  private struct Shape: Hashable {
    var content: Fingerprint
    var topic: UInt32
    var identifier: UInt32?
    var token: TokenShape
  }

  private struct TokenShape: Hashable {
    var length: Int
    var script: ArraySlice<UInt8>

    init(_ token: ArraySlice<UInt8>) {
      length = token.count
      script = TokenPairs.isScript(token) ? token.prefix(8) : []
    }
  }

  /// - Parameter topics: the number in the first capture of each topic of the second.
  init(_ a: DigestItems, _ b: DigestItems, areSame: Bool, topics: [UInt32]) {
    self.areSame = areSame
    let counterparts = areSame ? [:] : Self.counterparts(a, b, topics)
    var next = UInt32(truncatingIfNeeded: a.tokens.count)
    numbers = (0..<b.tokens.count).map { number in
      if let counterpart = counterparts[UInt32(truncatingIfNeeded: number)] { return counterpart }
      if let known = a.tokens.known(b.tokens[number]) { return UInt32(truncatingIfNeeded: known) }
      defer { next &+= 1 }
      return next
    }
  }

  private static func counterparts(_ a: DigestItems, _ b: DigestItems, _ topics: [UInt32]) -> [UInt32: UInt32]
  {
    let (ofA, ofB) = (shapes(a.tokens), shapes(b.tokens))
    func shape(_ item: DigestItems.Entry, _ topic: UInt32, _ tokens: [TokenShape]) -> Shape {
      let identifier = item.hasIdentifier ? item.identifier : nil
      return Shape(
        content: item.content,
        topic: topic,
        identifier: identifier,
        token: tokens[Int(item.token)]
      )
    }
    func shape(ofB place: Int) -> Shape {
      shape(b.entries[place], topics[Int(b.entries[place].topic)], ofB)
    }
    var index = CandidateIndex(count: b.count) { shape(ofB: $0).hashValue }
    var counterparts: [UInt32: UInt32] = [:]
    var paired: Set<UInt32> = []
    var found: [Int] = []
    for item in a.entries {
      let wanted = shape(item, item.topic, ofA)
      let hash = wanted.hashValue
      index.find(hash, most: 1, into: &found) { shape(ofB: $0) == wanted }
      guard let place = found.first else { continue }
      index.remove(place, hash)
      let other = b.entries[place].token
      if counterparts[other] == nil, paired.insert(item.token).inserted { counterparts[other] = item.token }
    }
    return counterparts
  }

  private static func shapes(_ tokens: TextTable) -> [TokenShape] {
    (0..<tokens.count).map { TokenShape(tokens[$0]) }
  }

  /// True where a token may script itself (a magic token), so that its pseudonym begins as it does: one of another
  /// length cannot.
  private static func isScript(_ token: ArraySlice<UInt8>) -> Bool {
    token.count == 32 && token.starts(with: MagicToken.prefix)
  }

  /// Two captures that were redacted with one key have the same tokens.
  static func areSame(_ a: CaptureDigest, _ b: CaptureDigest) -> Bool {
    guard a.isRedacted, b.isRedacted else { return a.isRedacted == b.isRedacted }
    func ordinary(_ tokens: TextTable) -> [ArraySlice<UInt8>] {
      (0..<tokens.count).lazy.map { tokens[$0] }.filter { !$0.isEmpty && !isScript($0) }
    }
    let (one, two) = (ordinary(a.items.tokens), ordinary(b.items.tokens))
    return one.isEmpty || two.isEmpty || two.contains { a.items.tokens.known($0) != nil }
  }
}
