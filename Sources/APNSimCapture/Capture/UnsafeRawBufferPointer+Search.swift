import APNSimWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Comparison with literals, and the C library's vectorized search.
extension UnsafeRawBufferPointer {
  @inline(__always)
  func hasBytes(of text: StaticString) -> Bool {
    hasBytes(of: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// The offset of the first occurrence of a byte.
  @inline(__always)
  func offset(of byte: UInt8) -> Int? {
    guard let base = baseAddress, let found = memchr(base, CInt(byte), count) else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
