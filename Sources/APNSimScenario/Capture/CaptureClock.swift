internal import APNSimCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Reads the times of lines: always the same 24 bytes, and very often the same as those of the line before.
struct CaptureClock {
  private var text = [UInt8](repeating: 0, count: 24)
  private var value: Timestamp?

  mutating func read(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
    guard bytes.count == 24 else { return Timestamp(String(decoding: bytes, as: UTF8.self)) }
    if value != nil, Self.isSame(text, bytes) { return value }
    text.withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
    value = Timestamp(String(decoding: bytes, as: UTF8.self))
    return value
  }

  @inline(__always)
  private static func isSame(_ text: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    return text.withUnsafeBytes { memcmp($0.baseAddress ?? base, base, 24) == 0 }
  }
}
