#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Comparison and search with the C library's vectorized functions.
extension UnsafeRawBufferPointer {
  /// True where both have the same bytes.
  @inline(__always)
  func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let one = baseAddress, let two = other.baseAddress else { return true }
    return memcmp(one, two, count) == 0
  }

  @inline(__always)
  func isSame(as text: StaticString) -> Bool {
    isSame(as: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// The offset of the first occurrence of a byte.
  @inline(__always)
  func offset(of byte: UInt8) -> Int? {
    guard let base = baseAddress, let found = memchr(base, CInt(byte), count) else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
