/// The two forms of an ECDSA signature on P-256: r and s of 32 bytes each (RFC 7518), or a DER sequence of two integers.
enum ES256Signature {
  /// The size of the raw form in bytes.
  static let size = 64

  /// - Parameter raw: two halves of one size, of which 32 bytes count and those before them are zero.
  /// - Returns: nil where one is larger than a number of P-256.
  static func der(raw: [UInt8]) -> [UInt8]? {
    let half = raw.count / 2
    guard raw.count == 2 * half, half >= 32 else { return nil }
    let (r, s) = (integer(raw.prefix(half)), integer(raw.suffix(half)))
    // Tag, length and a zero before a first bit that is one.
    guard max(r.count, s.count) <= 35 else { return nil }
    let content = r + s
    return [0x30, UInt8(truncatingIfNeeded: content.count)] + content
  }

  /// Nil unless the bytes are a sequence of two positive integers of at most 32 bytes.
  static func raw(der: [UInt8]) -> [UInt8]? {
    guard der.count >= 8, der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
    var rest = der.dropFirst(2)
    var raw: [UInt8] = []
    for _ in 0..<2 {
      guard rest.popFirst() == 0x02, let size = rest.popFirst(), size > 0, Int(size) <= rest.count else {
        return nil
      }
      let digits = rest.prefix(Int(size)).drop { $0 == 0 }
      guard digits.count <= 32 else { return nil }
      raw += [UInt8](repeating: 0, count: 32 - digits.count) + digits
      rest = rest.dropFirst(Int(size))
    }
    return rest.isEmpty ? raw : nil
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
    return [0x02, UInt8(truncatingIfNeeded: digits.count)] + digits
  }
}
