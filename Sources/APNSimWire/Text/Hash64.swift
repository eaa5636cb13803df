/// A 64-bit hash that is the same in every process, unlike the standard library's: order and layout must not
/// depend on a per-process seed, or a replay would differ from its recording.
///
/// Each 8-byte word is folded in with a 64×64→128-bit multiplication whose halves are combined. It resists
/// accidents, not an adversary who chooses keys to collide; whoever could is the provider under test itself.
///
/// Other modules have it inlined, for which the type must be usable so, not only its functions.
@usableFromInline package struct Hash64 {
  @usableFromInline var state: UInt64

  @inlinable @inline(__always)
  package init(seed: UInt64 = 0x9E37_79B9_7F4A_7C15) { state = seed }

  @inlinable @inline(__always)
  package mutating func combine(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    state = product.low ^ product.high ^ word
  }

  @inlinable
  package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    let count = bytes.count
    if count > 0, let start = bytes.baseAddress {
      var offset = 0
      while count &- offset >= 8 {
        combine(start.word(at: offset))
        offset &+= 8
      }
      combine(start.lastBytes(from: offset, of: count))
    } else {
      combine(0)
    }
    combine(UInt64(truncatingIfNeeded: count))
  }

  @inlinable @inline(__always)
  package func finalize() -> UInt64 {
    let product = (state ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return product.low ^ product.high
  }

  package static func of(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0x9E37_79B9_7F4A_7C15) -> UInt64 {
    var hash = Hash64(seed: seed)
    Array(bytes).withUnsafeBytes { hash.combine($0) }
    return hash.finalize()
  }
}

extension UnsafeRawPointer {
  /// Eight bytes as a little-endian number.
  @inlinable @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The bytes from an offset to the end, fewer than eight, as a little-endian number: they are read in steps that overlap.
  @inlinable @inline(__always)
  func lastBytes(from offset: Int, of count: Int) -> UInt64 {
    let number = count &- offset
    if number == 0 { return 0 }
    if count >= 8 { return word(at: count &- 8) &>> UInt64(truncatingIfNeeded: 8 &* (8 &- number)) }
    if number >= 4 {
      let low = UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      let high = UInt32(littleEndian: loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      return UInt64(low) | UInt64(high) &<< UInt64(truncatingIfNeeded: 8 &* (number &- 4))
    }
    return byte(at: offset, shifted: 0) | byte(at: offset &+ number / 2, shifted: number / 2)
      | byte(at: count &- 1, shifted: number &- 1)
  }

  @inlinable @inline(__always)
  func byte(at offset: Int, shifted places: Int) -> UInt64 {
    UInt64(load(fromByteOffset: offset, as: UInt8.self)) &<< UInt64(truncatingIfNeeded: 8 &* places)
  }
}

extension UnsafeRawBufferPointer {
  /// True if these are the same bytes as others. (A comparison as sequences is one of single bytes.)
  package func hasBytes(of other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, count > 0, let start = baseAddress, let otherStart = other.baseAddress else {
      return count == other.count
    }
    var offset = 0
    while count &- offset >= 8 {
      if start.word(at: offset) != otherStart.word(at: offset) { return false }
      offset &+= 8
    }
    return start.lastBytes(from: offset, of: count) == otherStart.lastBytes(from: offset, of: count)
  }
}
