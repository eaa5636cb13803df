/// A 128-bit hash of bytes: different texts have different ones, barring an improbable collision.
///
/// It is the same in every run, and not cryptographic: collisions can be made on purpose.
struct Fingerprint: Hashable, BitwiseCopyable, Sendable {
  var low: UInt64
  var high: UInt64

  init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

  /// Takes eight bytes at a time; the last ones are padded with zeros, and the length is part of the result.
  init(of bytes: UnsafeRawBufferPointer) {
    low = 0xA076_1D64_78BD_642F
    high = 0xE703_7ED1_A0B4_28DB
    let whole = bytes.count & ~7
    for offset in stride(from: 0, to: whole, by: 8) {
      add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
    var rest: UInt64 = 0
    for byte in bytes[whole...].reversed() { rest = rest << 8 | UInt64(byte) }
    add(rest)
    add(UInt64(bytes.count))
  }

  /// Multiplies to twice the width and folds: each bit of the result depends on each one of the word and of those before.
  private mutating func add(_ word: UInt64) {
    low = Self.folded(low ^ word, 0x8EBC_6AF0_9C88_C6E3) &+ 0x5896_36F5_0DB1_B8D5
    high = Self.folded(high ^ word, 0x1D8E_4E27_C47D_124F) &+ low
  }

  private static func folded(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }
}
