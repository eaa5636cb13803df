/// Reads the two primitives of HPACK (RFC 7541 section 5): integers and strings.
struct CodedReader {
  let bytes: UnsafeRawBufferPointer
  var offset = 0

  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  @inline(__always)
  var isAtEnd: Bool { offset >= bytes.count }

  /// An integer whose first byte has `prefix` bits for it (section 5.1). nil where the block ends within it, and where
  /// it exceeds 2^28 or takes more than five bytes after the first, which nothing within our limits does.
  @inline(__always)
  mutating func integer(prefix: UInt8) -> Int? {
    guard offset < bytes.count else { return nil }
    let most = UInt8(truncatingIfNeeded: (1 as UInt16) << UInt16(prefix) &- 1)
    let first = bytes[offset] & most
    offset &+= 1
    return first < most ? Int(first) : longInteger(from: Int(most))
  }

  private mutating func longInteger(from first: Int) -> Int? {
    var value = first
    var shift = 0
    while offset < bytes.count, shift <= 28 {
      let byte = bytes[offset]
      offset &+= 1
      value &+= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value <= 1 << 28 ? value : nil }
      shift &+= 7
    }
    return nil
  }

  /// A string (section 5.2) as it is coded; nil where the block ends within it.
  @inline(__always)
  mutating func string() -> CodedString? {
    guard offset < bytes.count else { return nil }
    let start = offset
    let isHuffman = bytes[offset] & 0x80 != 0
    guard let length = integer(prefix: 7), bytes.count &- offset >= length else { return nil }
    defer { offset &+= length }
    return CodedString(
      isHuffman: isHuffman,
      coded: bytes.slice(offset, length),
      whole: bytes.slice(start, offset &+ length &- start)
    )
  }
}

/// A string literal where it stands in a block.
struct CodedString {
  var isHuffman: Bool
  /// The bytes without the length before them.
  var coded: UnsafeRawBufferPointer
  /// The bytes with the length: what the comparison of tokens looks at.
  var whole: UnsafeRawBufferPointer
}
