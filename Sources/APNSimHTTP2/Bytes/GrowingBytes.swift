/// Bytes that grow at their end and are forgotten all at once: output, header lists, the beginning of a frame.
///
/// Memory is kept when it is emptied, up to what ``shrink(to:)`` says.
package struct GrowingBytes: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// The memory that was given back last: it is asked for at once when it is needed again.
  private var usual = 64
  package private(set) var count = 0

  package init() {}

  deinit { memory.deallocate() }

  package var isEmpty: Bool { count == 0 }

  /// The bytes, valid until the next change.
  package var bytes: UnsafeRawBufferPointer {
    @inline(__always) get { UnsafeRawBufferPointer(start: memory.baseAddress, count: count) }
  }

  /// The place after the last byte, with room for `room` bytes; ``advance(by:)`` makes them part of the buffer.
  @inline(__always)
  package mutating func end(room: Int) -> UnsafeMutableRawBufferPointer {
    if memory.count &- count < room { grow(room) }
    let place = memory.baseAddress.map { $0 + count }
    return UnsafeMutableRawBufferPointer(start: place, count: memory.count &- count)
  }

  @inline(__always)
  package mutating func advance(by written: Int) {
    precondition(written >= 0 && written <= memory.count &- count)
    count &+= written
  }

  @inline(never)
  private mutating func grow(_ room: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(memory.isEmpty ? usual : memory.count * 2, count + room),
      alignment: 8
    )
    larger.copyMemory(from: bytes)
    memory.deallocate()
    memory = larger
  }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    end(room: 1)[0] = byte
    count &+= 1
  }

  @inline(__always)
  package mutating func append(_ other: UnsafeRawBufferPointer) {
    end(room: other.count).copyMemory(from: other)
    count &+= other.count
  }

  package mutating func append(_ other: [UInt8]) {
    other.withUnsafeBytes { append($0) }
  }

  @inline(__always)
  package mutating func append(bigEndian value: some FixedWidthInteger & BitwiseCopyable) {
    let size = value.bitWidth / 8
    end(room: size).storeBytes(of: value.bigEndian, as: type(of: value))
    count &+= size
  }

  /// Forgets what stands after the first `length` bytes.
  @inline(__always)
  package mutating func truncate(to length: Int) {
    count = max(0, min(length, count))
  }

  /// Forgets the first `length` bytes and moves the rest to the front.
  package mutating func removeFirst(_ length: Int) {
    let rest = max(0, count - length)
    if rest > 0, length > 0, let start = memory.baseAddress {
      start.copyMemory(from: start + length, byteCount: rest)
    }
    count = rest
  }

  /// Moves `length` bytes from one place within the buffer to an earlier one.
  mutating func move(_ length: Int, from source: Int, to target: Int) {
    precondition(target >= 0 && target <= source && length >= 0 && source + length <= count)
    guard source != target, let start = memory.baseAddress else { return }
    (start + target).copyMemory(from: start + source, byteCount: length)
  }

  /// Overwrites bytes that are there.
  mutating func replace(at offset: Int, with byte: UInt8) {
    precondition(offset >= 0 && offset < count)
    memory[offset] = byte
  }

  package mutating func removeAll() { count = 0 }

  private static var mostUsual: Int { 1 << 16 }

  /// Gives the memory back when the buffer is empty and has more than `capacity` bytes.
  mutating func shrink(to capacity: Int) {
    guard count == 0, memory.count > capacity else { return }
    usual = min(max(64, memory.count), Self.mostUsual)
    memory.deallocate()
    memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }
}
