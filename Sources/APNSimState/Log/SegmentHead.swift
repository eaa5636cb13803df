/// The head of a segment of the log.
struct SegmentHead: Hashable {
  /// The number in the name of the file.
  var ordinal: UInt64
  /// The number of its first input.
  var first: UInt64
  /// The number of the state.
  var origin: UInt64
  /// The time of the machine in which it was written.
  var boot: MachineBoot

  init(ordinal: UInt64, first: UInt64, origin: UInt64, boot: MachineBoot) {
    (self.ordinal, self.first, self.origin, self.boot) = (ordinal, first, origin, boot)
  }

  var bytes: [UInt8] { FileHead(.log, [ordinal, first, origin, boot.high, boot.low]).bytes }

  init(reading bytes: [UInt8]) throws(FileHead.Problem) {
    let fields = try FileHead(.log, reading: bytes).fields
    guard 1...StateFileName.most ~= fields[1] else {
      throw .damaged(offset: 24, reason: "it cannot begin with input \(fields[1])")
    }
    self.init(
      ordinal: fields[0],
      first: fields[1],
      origin: fields[2],
      boot: MachineBoot(high: fields[3], low: fields[4])
    )
  }
}

/// The part of a segment that is certainly on the disk. It stands after the head and changes, so it has a checksum of its own;
/// what is not whole says nothing.
enum SyncMark {
  static let place = 104

  /// - Parameter byteCount: a multiple of 8.
  static func bytes(_ byteCount: Int) -> [UInt8] {
    let eighths = UInt32(truncatingIfNeeded: byteCount / 8)
    return withUnsafeBytes(of: UInt64(eighths) | UInt64(sum(of: eighths)) << 32) { Array($0) }
  }

  /// The bytes that are on the disk; 0 where nothing is known.
  static func read(_ segment: [UInt8]) -> Int {
    guard segment.count >= place + 8 else { return 0 }
    let word = segment.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
    let eighths = UInt32(truncatingIfNeeded: word)
    return sum(of: eighths) == UInt32(truncatingIfNeeded: word >> 32) ? Int(eighths) * 8 : 0
  }

  private static func sum(of eighths: UInt32) -> UInt32 {
    withUnsafeBytes(of: eighths) { Checksum.of($0) }
  }
}
