/// A 64-bit hash that is the same in every process, unlike the standard library's: order and layout must not
/// depend on a per-process seed, or a replay would differ from its recording.
///
/// Each 8-byte word is folded in with a 64×64→128-bit multiplication whose halves are combined. It resists
/// accidents, not an adversary who chooses keys to collide; whoever could is the provider under test itself.
struct Hash64 {
  private var state: UInt64

  init(seed: UInt64 = 0x9E37_79B9_7F4A_7C15) { state = seed }

  @inline(__always)
  mutating func combine(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    state = product.low ^ product.high ^ word
  }

  mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while bytes.count - offset >= 8 {
      combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var last: UInt64 = 0
    for (shift, byte) in bytes[offset...].enumerated() { last |= UInt64(byte) << UInt64(shift * 8) }
    combine(last)
    combine(UInt64(bytes.count))
  }

  func finalize() -> UInt64 {
    let product = (state ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return product.low ^ product.high
  }

  static func of(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0x9E37_79B9_7F4A_7C15) -> UInt64 {
    var hash = Hash64(seed: seed)
    Array(bytes).withUnsafeBytes { hash.combine($0) }
    return hash.finalize()
  }
}
