import APNSimCore

/// The head of a snapshot.
struct SnapshotHead: Hashable {
  /// The number of the last input in it.
  var number: UInt64
  /// The bytes after the head.
  var byteCount: Int
  /// The wall time at which it was taken.
  var time: Timestamp
  /// The number of the state.
  var origin: UInt64
  /// The checksum of the bytes.
  var sum: UInt32

  init(number: UInt64, byteCount: Int, time: Timestamp, origin: UInt64, sum: UInt32) {
    (self.number, self.byteCount, self.time) = (number, byteCount, time)
    (self.origin, self.sum) = (origin, sum)
  }

  var bytes: [UInt8] {
    let time = UInt64(bitPattern: time.rawValue)
    return FileHead(.snapshot, [number, UInt64(byteCount), time, origin, UInt64(sum)]).bytes
  }

  init(reading bytes: [UInt8]) throws(FileHead.Problem) {
    let fields = try FileHead(.snapshot, reading: bytes).fields
    guard let byteCount = Int(exactly: fields[1]), byteCount <= Int.max - FileHead.byteCount else {
      throw .damaged(offset: 24, reason: "there cannot be \(fields[1]) bytes")
    }
    self.init(
      number: fields[0],
      byteCount: byteCount,
      time: Timestamp(rawValue: Int64(bitPattern: fields[2])),
      origin: fields[3],
      sum: UInt32(truncatingIfNeeded: fields[4])
    )
  }
}
