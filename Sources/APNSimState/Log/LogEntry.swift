import CProcessor

/// An input as it stands in the log, at a multiple of 8:
///
/// ```
/// 0   length of the bytes, 4 bytes
/// 4   CRC-32C of number and bytes, with the length as its seed, 4 bytes
/// 8   number of the input, 8 bytes
/// 16  the bytes, then zeros up to a multiple of 8
/// ```
///
/// The first 8 bytes are stored last and at once: an entry is whole or not there, whenever the process is killed.
package enum LogEntry {
  static let headByteCount = 16
  /// The most bytes of an input.
  static let mostBytes = 1 << 30

  /// The bytes that an input of so many takes; it has at most ``mostBytes``.
  @inline(__always)
  package static func byteCount(of count: Int) -> Int { (count + headByteCount + 7) & ~7 }

  /// Writes an entry to memory that has room for it, all zero.
  @inline(__always)
  package static func write(
    _ number: UInt64,
    _ head: UnsafeRawBufferPointer,
    _ bulk: UnsafeRawBufferPointer,
    to place: UnsafeMutableRawPointer
  ) {
    let body = place + headByteCount
    if let start = head.baseAddress { body.copyMemory(from: start, byteCount: head.count) }
    if let start = bulk.baseAddress {
      (body + head.count).copyMemory(from: start, byteCount: bulk.count)
    }
    (place + 8).storeBytes(of: number, as: UInt64.self)
    let length = UInt32(truncatingIfNeeded: head.count + bulk.count)
    let sum = Checksum.of(
      UnsafeRawBufferPointer(start: place + 8, count: 8 + head.count + bulk.count),
      after: length
    )
    apnsim_publish(place, UInt64(length) | UInt64(sum) << 32)
  }

  /// The content of a place in the log.
  enum Reading {
    case entry(number: UInt64, bytes: UnsafeRawBufferPointer)
    /// Nothing was written here, or not yet.
    case nothing
    case damaged(reason: String)
  }

  /// Reads what stands at a multiple of 8 in a segment.
  static func read(_ segment: UnsafeRawBufferPointer, at offset: Int) -> Reading {
    let rest = segment.count - offset
    guard rest >= headByteCount else { return .nothing }
    let word = segment.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    guard word != 0 else { return .nothing }
    let length = UInt32(truncatingIfNeeded: word)
    guard Int(length) <= rest - headByteCount else {
      return .damaged(
        reason: "an entry of \(length) bytes was expected, and \(rest - headByteCount) are left"
      )
    }
    let covered = UnsafeRawBufferPointer(rebasing: segment[offset + 8..<offset + headByteCount + Int(length)])
    guard Checksum.of(covered, after: length) == UInt32(truncatingIfNeeded: word >> 32) else {
      return .damaged(reason: "the entry is not whole: its checksum is another one")
    }
    let number = segment.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
    return .entry(number: number, bytes: UnsafeRawBufferPointer(rebasing: covered[8...]))
  }
}
