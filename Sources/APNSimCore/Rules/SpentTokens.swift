import APNSimWire
import DequeModule

/// The magic tokens that scripted themselves once and do not again: whoever sends again at once would meet them for good.
/// Past the bound the oldest is forgotten, and begins anew.
struct SpentTokens {
  /// Hashes of the tokens, in the order in which they were spent.
  private var order: Deque<UInt64> = []
  private var hashes: Set<UInt64> = []

  static let most = 65_536

  /// Spends a token.
  /// - Returns: false where it was spent before.
  mutating func spend(_ token: UnsafeRawBufferPointer) -> Bool {
    var hash = Hash64()
    hash.combine(token)
    return spend(hash.finalize())
  }

  private mutating func spend(_ hash: UInt64) -> Bool {
    guard hashes.insert(hash).inserted else { return false }
    order.append(hash)
    if order.count > Self.most { hashes.remove(order.removeFirst()) }
    return true
  }
}

extension SpentTokens {
  func write(to state: inout StateWriter) { Array(order).withUnsafeBufferPointer { state.write(rows: $0) } }

  init(reading state: inout StateReader) throws(StateError) {
    for hash in Array(try state.rows(UInt64.self)).prefix(Self.most) { _ = spend(hash) }
  }
}
