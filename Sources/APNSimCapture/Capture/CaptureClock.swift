internal import APNSimCore

/// Reads the times of lines: always the same 24 bytes, and very often the same as those of the line before.
struct CaptureClock {
  private var text = [UInt8](repeating: 0, count: 24)
  private var value: Timestamp?

  mutating func read(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
    guard bytes.count == 24 else { return Timestamp(String(decoding: bytes, as: UTF8.self)) }
    if value != nil, text.withUnsafeBytes({ bytes.isSame(as: $0) }) { return value }
    text.withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
    value = Timestamp(String(decoding: bytes, as: UTF8.self))
    return value
  }
}
