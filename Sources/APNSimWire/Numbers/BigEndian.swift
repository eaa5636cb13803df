// Integers in network byte order.

extension UnsafeRawBufferPointer {
  /// The big-endian integer at `offset`. The caller has checked that it lies within the buffer.
  @inline(__always)
  func bigEndian<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    T(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }
}

extension [UInt8] {
  mutating func append(bigEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends a 16-bit length and as many bytes as it can declare: at most 65,535.
  mutating func append(lengthPrefixed bytes: [UInt8]) {
    let length = UInt16(clamping: bytes.count)
    append(bigEndian: length)
    append(contentsOf: bytes.prefix(Int(length)))
  }
}
