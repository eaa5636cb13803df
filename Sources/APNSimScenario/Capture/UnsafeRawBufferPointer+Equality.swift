#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension UnsafeRawBufferPointer {
  /// Whether both have the same bytes, many compared at once.
  @inline(__always)
  func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let one = baseAddress, let two = other.baseAddress else { return true }
    return memcmp(one, two, count) == 0
  }
}
