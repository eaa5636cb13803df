/// The ones' complement sum of IP and TCP (RFC 1071).
struct InternetChecksum {
  private var sum: UInt64 = 0
  private var isOdd = false

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      sum += isOdd ? UInt64(byte) : UInt64(byte) << 8
      isOdd.toggle()
    }
  }

  var value: UInt16 {
    var folded = sum
    while folded > 0xFFFF { folded = (folded & 0xFFFF) + (folded >> 16) }
    return ~UInt16(truncatingIfNeeded: folded)
  }
}
