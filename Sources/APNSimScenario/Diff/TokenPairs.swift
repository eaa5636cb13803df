internal import APNSimCore
internal import APNSimWire

/// Which tokens of two captures stand for the same device, where redaction has given one of them pseudonyms, or each its
/// own.
///
/// Two notifications that are alike but for their tokens pair these, the first ones first; a token has one partner.
struct TokenPairs {
  /// The captures have the same tokens for the same devices.
  let areSame: Bool
  private var partners: [[UInt8]: [UInt8]] = [:]

  /// A notification but for its token, of which the length and what scripts it are kept.
  private struct Shape: Hashable {
    var topic: String
    var identifier: UInt32?
    var content: [UInt64]
    var length: Int
    var script: [UInt8]

    init(_ item: CaptureDigest.Item) {
      (topic, identifier, content) = (item.topic, item.identifier?.rawValue, item.content)
      length = item.token.count
      script = TokenPairs.isScript(item.token) ? Array(item.token.prefix(8)) : []
    }
  }

  init(_ a: CaptureDigest, _ b: CaptureDigest) {
    areSame = Self.areSame(a, b)
    guard !areSame else { return }
    var waiting: [Shape: ArraySlice<Int>] = [:]
    for (index, item) in b.items.enumerated() { waiting[Shape(item), default: []].append(index) }
    var paired: Set<[UInt8]> = []
    for item in a.items {
      guard let index = waiting[Shape(item)]?.popFirst() else { continue }
      let other = b.items[index].token
      if partners[other] == nil, paired.insert(item.token).inserted { partners[other] = item.token }
    }
  }

  /// What the first capture calls the device of a token of the second.
  func token(ofB token: [UInt8]) -> [UInt8] { partners[token] ?? token }

  /// Whether a token may script itself, so that its pseudonym begins as it does: one of another length cannot.
  private static func isScript(_ token: [UInt8]) -> Bool {
    token.count == 32 && token.starts(with: MagicToken.prefix)
  }

  /// Two redacted captures have the same tokens if they were made with one key.
  private static func areSame(_ a: CaptureDigest, _ b: CaptureDigest) -> Bool {
    guard a.isRedacted, b.isRedacted else { return a.isRedacted == b.isRedacted }
    func ordinary(_ items: [CaptureDigest.Item]) -> Set<[UInt8]> {
      Set(items.lazy.map(\.token).filter { !$0.isEmpty && !isScript($0) })
    }
    let (one, two) = (ordinary(a.items), ordinary(b.items))
    return one.isEmpty || two.isEmpty || !one.isDisjoint(with: two)
  }
}
