/// The device token lengths, in bytes, that a gateway accepts.
///
/// Providers met tokens of 32 bytes and, from iOS 11, of 54; Apple asked them not to hard-code either and allowed up
/// to 100 bytes (Binary Provider API, Table A-3). The set has a bit for each of 1...100, so that a look-up costs next
/// to nothing per frame.
package struct TokenSizes: BitwiseCopyable, Hashable, Sendable {
  @usableFromInline var low: UInt64 = 0
  @usableFromInline var high: UInt64 = 0

  /// The maximum length of a token, in bytes.
  @inlinable package static var maximum: Int { 100 }

  /// Makes the set of the one length that every provider knows: 32.
  package init() {
    insert(32)
  }

  /// Makes the set of these lengths; those outside 1...100 are ignored.
  package init(_ sizes: some Sequence<Int>) {
    for size in sizes { insert(size) }
  }

  @inlinable @inline(__always)
  package func contains(_ size: Int) -> Bool {
    guard size >= 1, size <= Self.maximum else { return false }
    return size < 64 ? low & (1 << UInt64(size)) != 0 : high & (1 << UInt64(size - 64)) != 0
  }

  /// Adds a length; one outside 1...100 is ignored.
  package mutating func insert(_ size: Int) {
    guard size >= 1, size <= Self.maximum else { return }
    if size < 64 {
      low |= 1 << UInt64(size)
    } else {
      high |= 1 << UInt64(size - 64)
    }
  }

  /// Removes a length; one outside 1...100 is ignored.
  package mutating func remove(_ size: Int) {
    guard size >= 1, size <= Self.maximum else { return }
    if size < 64 {
      low &= ~(1 << UInt64(size))
    } else {
      high &= ~(1 << UInt64(size - 64))
    }
  }

  /// The lengths in ascending order.
  package var values: [Int] {
    (1...Self.maximum).filter(contains)
  }
}

extension TokenSizes: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: Int...) {
    self.init(elements)
  }
}
