extension UnsafeRawBufferPointer {
  /// The big-endian integer at `offset`, checked against the buffer's end.
  @inline(__always)
  package func bigEndian<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    precondition(offset >= 0 && offset &+ MemoryLayout<T>.size <= count)
    return T(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// The bytes of a range, as a buffer of their own.
  @inline(__always)
  package func slice(_ start: Int, _ length: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[start..<start &+ length])
  }

  /// The same of a range that whoever wrote the bytes has noted: it is within them.
  @inline(__always)
  func part(_ start: Int, _ length: Int) -> UnsafeRawBufferPointer {
    assert(start >= 0 && length >= 0 && start &+ length <= count)
    return UnsafeRawBufferPointer(start: baseAddress.map { $0 + start }, count: length)
  }

  @inline(__always)
  package func isEqual(to text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    return isEqual(to: UnsafeRawBufferPointer(start: text.utf8Start, count: count))
  }

  @inline(__always)
  package func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    var offset = 0
    while offset &+ 8 <= count {
      let mine = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard mine == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
      offset &+= 8
    }
    while offset < count {
      guard self[offset] == other[offset] else { return false }
      offset &+= 1
    }
    return true
  }
}
