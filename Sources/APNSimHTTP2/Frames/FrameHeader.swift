/// The nine bytes before each frame's payload (RFC 9113 section 4.1).
///
/// ```text
/// length u24 | type u8 | flags u8 | reserved 1 bit, stream identifier 31 bits
/// ```
package struct FrameHeader: Hashable, Sendable, BitwiseCopyable {
  package static let byteCount = 9

  /// The length of the payload in bytes.
  package var length: Int
  package var type: FrameType
  package var flags: FrameFlags
  /// 0 for the connection as a whole.
  package var stream: UInt32

  package init(length: Int, type: FrameType, flags: FrameFlags = [], stream: UInt32 = 0) {
    self.length = length
    self.type = type
    self.flags = flags
    self.stream = stream
  }

  /// The header at `offset`, or nil while there are fewer than nine bytes.
  @inline(__always)
  package init?(in buffer: UnsafeRawBufferPointer, at offset: Int) {
    guard offset >= 0, buffer.count &- offset >= Self.byteCount else { return nil }
    let word = buffer.bigEndian(UInt32.self, at: offset)
    length = Int(word >> 8)
    type = FrameType(rawValue: UInt8(truncatingIfNeeded: word))
    flags = FrameFlags(rawValue: buffer[offset &+ 4])
    stream = buffer.bigEndian(UInt32.self, at: offset &+ 5) & 0x7FFF_FFFF
  }
}
