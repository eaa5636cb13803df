import CProcessor

/// A copy of a JSON text, padded and indexed so that it is scanned without bounds checks.
///
/// Zeros follow the text. The grammar has no place for them, so every step over a token ends there. A bit map, made
/// 64 bytes at a time, marks the bytes at which a string may end: the end of a string is found by counting the zero
/// bits of a word, without a dependency between steps.
struct IndexedText {
  /// The text, and 64 zeros.
  let bytes: UnsafeRawPointer
  let count: Int
  /// A bit for each byte of the text and the zero after it, 64 to a word, the first byte's bit the lowest: set for a
  /// byte that is not a plain character of a string (a quote, a backslash, a control character, a byte beyond ASCII).
  private let stops: UnsafePointer<UInt64>

  private static let block = 64
  /// The largest number of blocks for which the copy is on the stack.
  private static let fewBlocks = 10

  /// Runs `body` on a temporary copy of `text`.
  @inline(__always)
  static func with<Result>(_ text: UnsafeRawBufferPointer, _ body: (IndexedText) -> Result) -> Result {
    let blocks = text.count / block + 2
    return blocks <= fewBlocks
      ? withUnsafeTemporaryAllocation(byteCount: fewBlocks * (block + 8), alignment: 16) {
        body(IndexedText(text, blocks: fewBlocks, in: $0))
      }
      : withUnsafeTemporaryAllocation(byteCount: blocks * (block + 8), alignment: 16) {
        body(IndexedText(text, blocks: blocks, in: $0))
      }
  }

  @inline(__always)
  private init(_ text: UnsafeRawBufferPointer, blocks: Int, in room: UnsafeMutableRawBufferPointer) {
    let bytes = room.baseAddress.unsafelyUnwrapped
    let stops = (bytes + blocks &* Self.block).bindMemory(to: UInt64.self, capacity: blocks)
    count = text.count
    self.bytes = UnsafeRawPointer(bytes)
    self.stops = UnsafePointer(stops)
    let whole = count / Self.block
    let rest = count % Self.block
    (bytes + count).initializeMemory(as: UInt8.self, repeating: 0, count: Self.block)
    guard let source = text.baseAddress, whole > 0 else {
      UnsafeMutableRawBufferPointer(start: bytes, count: count).copyMemory(from: text)
      stops[0] = apnsim_copy_stops(bytes, bytes)
      return
    }
    for index in 0..<whole {
      stops[index] = apnsim_copy_stops(bytes + index &* Self.block, source + index &* Self.block)
    }
    // The last 64 bytes are indexed once more, for those after the last whole block.
    let last = apnsim_copy_stops(bytes + (count &- Self.block), source + (count &- Self.block))
    stops[whole] = last >> UInt64(Self.block &- rest) | ~0 << UInt64(rest)
  }

  /// The byte at an offset of the text, or 0 after it.
  @inline(__always)
  subscript(place: Int) -> UInt8 { bytes.load(fromByteOffset: place, as: UInt8.self) }

  /// The bytes of a range of the text.
  @inline(__always)
  subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + range.lowerBound, count: range.upperBound &- range.lowerBound)
  }

  /// The next offset, from `place` on, of a byte that is not a plain character of a string: at the latest the end of
  /// the text.
  @inline(__always)
  func stop(from place: Int) -> Int {
    var word = place &>> 6
    // The bits before `place` are shifted out and zeros in.
    let shift = UInt64(truncatingIfNeeded: place)
    var bits = (stops[word] &>> shift) &<< shift
    while bits == 0 {
      word &+= 1
      bits = stops[word]
    }
    return (word &<< 6) &+ bits.trailingZeroBitCount
  }
}
