/// A range of bytes in the buffer of a request's header block, or none.
@usableFromInline package struct ByteRange: BitwiseCopyable, Hashable, Sendable {
  @usableFromInline package var start: UInt32
  @usableFromInline package var count: UInt32

  @inlinable @inline(__always)
  package init(start: UInt32, count: UInt32) {
    self.start = start
    self.count = count
  }

  /// No such header.
  @inlinable package static var absent: ByteRange {
    @inline(__always) get { ByteRange(start: .max, count: 0) }
  }

  @inlinable package var isPresent: Bool { @inline(__always) get { start != .max } }

  /// The bytes; none where it is absent or would leave the buffer.
  @inlinable @inline(__always)
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

  /// The range in a buffer that begins so many bytes before this one's.
  @inline(__always)
  mutating func move(by bytes: UInt32) {
    if isPresent { start &+= bytes }
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

/// A field that means something to the service: its header, the place of its value, and what was found about that
/// (``RequestDecoder/finding(_:_:)``).
@usableFromInline package struct RequestField: BitwiseCopyable, Sendable {
  @usableFromInline package var value: ByteRange
  @usableFromInline package var finding: UInt32
  @usableFromInline package var header: RequestHeader

  @inlinable @inline(__always)
  package init(_ header: RequestHeader, _ value: ByteRange, finding: UInt32 = 0) {
    (self.header, self.value, self.finding) = (header, value, finding)
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
    let start = UnsafeRawPointer(text.utf8Start)
    var index = 0
    while index &+ 8 <= text.utf8CodeUnitCount {
      let mine = loadUnaligned(fromByteOffset: offset &+ index, as: UInt64.self)
      guard mine == start.loadUnaligned(fromByteOffset: index, as: UInt64.self) else { break }
      index &+= 8
    }
    while index < text.utf8CodeUnitCount {
      let (one, other) = (self[offset + index], text.utf8Start[index])
      index &+= 1
      if one == other { continue }
      guard ignoringCase, one | 0x20 == other | 0x20, (0x61...0x7A).contains(one | 0x20) else { return false }
    }
    return true
  }
}
