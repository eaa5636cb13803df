/// A range of bytes in the buffer of a request's header block, or none.
package struct ByteRange: BitwiseCopyable, Hashable, Sendable {
  package var start: UInt32
  package var count: UInt32

  package init(start: UInt32, count: UInt32) {
    self.start = start
    self.count = count
  }

  /// No such header.
  package static let absent = ByteRange(start: .max, count: 0)

  package var isPresent: Bool { start != .max }

  /// The bytes; none where it is absent or would leave the buffer.
  @inline(__always)
  package func bytes(in buffer: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let start = UInt64(start)
    let end = start + UInt64(count)
    guard end <= UInt64(buffer.count) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: buffer[Int(start)..<Int(end)])
  }

  /// The range without its first bytes.
  func dropping(_ bytes: Int) -> ByteRange {
    let bytes = min(count, UInt32(clamping: bytes))
    return ByteRange(start: start + bytes, count: count - bytes)
  }
}

/// A field of a decoded header list: name and value, as ranges of one buffer.
package struct HeaderField: BitwiseCopyable, Hashable, Sendable {
  package var name: ByteRange
  package var value: ByteRange

  package init(name: ByteRange, value: ByteRange) {
    self.name = name
    self.value = value
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  func isEqual(to text: StaticString, ignoringCase: Bool = false) -> Bool {
    count == text.utf8CodeUnitCount && matches(text, at: 0, ignoringCase: ignoringCase)
  }

  func hasPrefix(_ text: StaticString, ignoringCase: Bool = false) -> Bool {
    count >= text.utf8CodeUnitCount && matches(text, at: 0, ignoringCase: ignoringCase)
  }

  func hasSuffix(_ text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount
      && matches(text, at: count - text.utf8CodeUnitCount, ignoringCase: false)
  }

  /// Compares with a text of ASCII that ends within the buffer.
  private func matches(_ text: StaticString, at offset: Int, ignoringCase: Bool) -> Bool {
    let start = text.utf8Start
    for index in 0..<text.utf8CodeUnitCount {
      let (one, other) = (self[offset + index], start[index])
      if one == other { continue }
      guard ignoringCase, one | 0x20 == other | 0x20, (0x61...0x7A).contains(one | 0x20) else { return false }
    }
    return true
  }
}
