/// Decodes Huffman-coded strings (RFC 7541 section 5.2), up to two symbols by one lookup of 12 bits.
///
/// An entry of the table: symbols in bits 0 to 7 and 8 to 15, their count in bits 16 to 19, the bits they take in
/// bits 24 to 31; 0 for a code of more than 12 bits, which is decoded by its length.
struct HuffmanDecoder {
  private static let pairBits = 12

  /// Made once and kept for good, in a few steps for each entry.
  nonisolated(unsafe) private static let table: UnsafePointer<UInt32> = {
    let table = UnsafeMutablePointer<UInt32>.allocate(capacity: 1 << pairBits)
    table.initialize(repeating: 0, count: 1 << pairBits)
    for symbol in HuffmanCode.symbols where HuffmanCode.lengths[symbol] <= pairBits {
      let length = Int(HuffmanCode.lengths[symbol])
      let start = Int(HuffmanCode.codes[symbol]) << (pairBits - length)
      for index in start..<start + (1 << (pairBits - length)) {
        table[index] = UInt32(symbol) | 1 << 16 | UInt32(length) << 24
      }
    }
    for index in 0..<1 << pairBits where table[index] != 0 {
      let length = Self.length(of: UInt8(truncatingIfNeeded: table[index]))
      // The second symbol, of the bits after the first; zeros follow them.
      let second = table[(index << length) & ((1 << pairBits) - 1)]
      let more = Self.length(of: UInt8(truncatingIfNeeded: second))
      if second != 0, length + more <= pairBits {
        table[index] = (table[index] & 0xFF) | (second & 0xFF) << 8 | 2 << 16 | UInt32(length + more) << 24
      }
    }
    return UnsafePointer(table)
  }()

  /// The first code of each length, left-aligned in 32 bits, and where its symbols begin; for codes of 13 to 30 bits.
  private struct LongCodes: Sendable {
    var first = [UInt32](repeating: 0, count: 31)
    var place = [Int](repeating: 0, count: 31)
    var end = [UInt64](repeating: 0, count: 31)

    init() {
      for length in 5...30 {
        let own = HuffmanCode.symbols.indices.filter {
          Int(HuffmanCode.lengths[HuffmanCode.symbols[$0]]) == length
        }
        guard let start = own.first, let last = own.last else { continue }
        first[length] = HuffmanCode.codes[HuffmanCode.symbols[start]]
        place[length] = start
        end[length] = (UInt64(HuffmanCode.codes[HuffmanCode.symbols[last]]) + 1) << UInt64(32 - length)
      }
    }
  }

  private static let longCodes = LongCodes()

  private let pairs: UnsafePointer<UInt32>

  init() { pairs = Self.table }

  /// The room that decoding may need: the shortest code has 5 bits, and a lookup stores two bytes.
  @inline(__always)
  static func room(forCoded count: Int) -> Int { count &* 8 / 5 &+ 2 }

  /// Decodes a string into `out`, which has ``room(forCoded:)`` bytes; returns its length, or nil where it holds the
  /// end of the string, or its padding is longer than 7 bits or not all ones.
  func decode(_ coded: UnsafeRawBufferPointer, into out: UnsafeMutableRawBufferPointer) -> Int? {
    precondition(out.count >= Self.room(forCoded: coded.count))
    var place = 0
    var bits: UInt64 = 0
    // The number of high bits that are the string's.
    var have = 0
    var written = 0
    let end = coded.count
    while end &- place >= 8 {
      bits |= UInt64(bigEndian: coded.loadUnaligned(fromByteOffset: place, as: UInt64.self)) >> UInt64(have)
      let taken = (63 &- have) >> 3
      place &+= taken
      have &+= taken &* 8
      // At least 56 bits (those beyond `have` are the next byte's, and are added again unchanged); four lookups take at most 48.
      if takePair(&bits, &have, out, &written) {
        if takePair(&bits, &have, out, &written), takePair(&bits, &have, out, &written) {
          _ = takePair(&bits, &have, out, &written)
        }
        continue
      }
      guard let long = Self.long(bits), long.length <= have else { return nil }
      out[written] = long.symbol
      written &+= 1
      bits = bits &<< UInt64(long.length)
      have &-= long.length
    }
    while place < end || have > 0 {
      while place < end, have <= 56 {
        bits |= UInt64(coded[place]) &<< UInt64(56 &- have)
        place &+= 1
        have &+= 8
      }
      // A lookup of bits that are all the string's.
      if have >= Self.pairBits, takePair(&bits, &have, out, &written) { continue }
      let entry = pairs[Int(bits >> 52)]
      var length = Int(HuffmanCode.endOfString)
      var symbol: UInt8 = 0
      if entry != 0 {
        symbol = UInt8(truncatingIfNeeded: entry)
        length = Self.length(of: symbol)
      } else if let long = Self.long(bits) {
        (symbol, length) = (long.symbol, long.length)
      } else if have >= 30 {
        return nil
      }
      if length > have {
        // The rest is padding: the beginning of the end of the string.
        let padding = ~0 &<< UInt64(64 &- have) as UInt64
        return have < 8 && bits & padding == padding ? written : nil
      }
      out[written] = symbol
      written &+= 1
      bits = bits &<< UInt64(length)
      have &-= length
    }
    return written
  }

  /// Decodes one or two symbols by one lookup; false for a code of more than 12 bits.
  @inline(__always)
  private func takePair(
    _ bits: inout UInt64,
    _ have: inout Int,
    _ out: UnsafeMutableRawBufferPointer,
    _ written: inout Int
  ) -> Bool {
    let entry = pairs[Int(bits >> 52)]
    guard entry != 0 else { return false }
    let symbols = UInt16(truncatingIfNeeded: entry)
    out.storeBytes(of: symbols.littleEndian, toByteOffset: written, as: UInt16.self)
    written &+= Int(entry >> 16 & 15)
    bits = bits &<< UInt64(entry >> 24)
    have &-= Int(entry >> 24)
    return true
  }

  private static func length(of symbol: UInt8) -> Int { Int(HuffmanCode.lengths[Int(symbol)]) }

  /// The symbol at the front of `bits` whose code has more than 12 bits; nil for the end of the string.
  @inline(never)
  private static func long(_ bits: UInt64) -> (symbol: UInt8, length: Int)? {
    let codes = longCodes
    let word = bits >> 32
    for length in 13...30 where word < codes.end[length] {
      let offset = Int(UInt32(truncatingIfNeeded: word) >> UInt32(32 - length)) &- Int(codes.first[length])
      guard offset >= 0, codes.place[length] &+ offset < HuffmanCode.symbols.count else { return nil }
      let symbol = HuffmanCode.symbols[codes.place[length] &+ offset]
      return symbol == HuffmanCode.endOfString ? nil : (UInt8(symbol), length)
    }
    return nil
  }
}
