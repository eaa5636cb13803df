/// Codes strings (RFC 7541 section 5.2).
package enum HuffmanEncoder {
  /// The length of the coded string in bytes.
  package static func byteCount(of bytes: UnsafeRawBufferPointer) -> Int {
    bytes.reduce(7) { $0 + Int(HuffmanCode.lengths[Int($1)]) } / 8
  }

  package static func append(_ bytes: UnsafeRawBufferPointer, to out: inout GrowingBytes) {
    var pending: UInt64 = 0
    var have = 0
    for byte in bytes {
      let length = Int(HuffmanCode.lengths[Int(byte)])
      pending = pending << UInt64(length) | UInt64(HuffmanCode.codes[Int(byte)])
      have += length
      while have >= 8 {
        have -= 8
        out.append(UInt8(truncatingIfNeeded: pending >> UInt64(have)))
      }
    }
    guard have > 0 else { return }
    let padding: UInt64 = (1 << UInt64(8 - have)) - 1
    out.append(UInt8(truncatingIfNeeded: pending << UInt64(8 - have) | padding))
  }
}
