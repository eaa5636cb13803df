import APNSimWire

/// Bytes of one side of a comparison that wait for the other.
struct WaitingBytes {
  var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }

  var rest: ArraySlice<UInt8> { bytes[start...] }

  mutating func drop(_ count: Int) {
    start += count
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 22)
      start = 0
    } else if start > 1 << 20 {
      bytes.removeFirst(start)
      start = 0
    }
  }

  /// Drops everything after the first so many bytes, with its memory.
  /// - Returns: the number of dropped bytes.
  mutating func cut(to count: Int) -> Int {
    let more = max(0, self.count - count)
    if more > 0 { (bytes, start) = (Array(rest.prefix(count)), 0) }
    return more
  }

  func starts(with other: UnsafeRawBufferPointer) -> Bool {
    guard other.count <= count else { return false }
    return bytes[start..<start + other.count].withUnsafeBytes { $0.hasBytes(of: other) }
  }

  /// The length of the common beginning of both sides, within the first `count` bytes.
  func common(with other: WaitingBytes, of count: Int) -> Int {
    let isSame = other.rest.prefix(count).withUnsafeBytes { starts(with: $0) }
    return isSame ? count : zip(rest.prefix(count), other.rest).prefix { $0 == $1 }.count
  }
}
