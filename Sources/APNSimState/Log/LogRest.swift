import APNSimSystem

/// The bytes after the end of a log in a segment.
struct LogRest {
  /// The bytes up to the last one that is not zero.
  private(set) var byteCount = 0
  /// True if there is an entry among them that is whole, and not of an earlier input than what was expected.
  private(set) var hasEntry = false

  init(_ mapping: SystemMapping?, from start: Int, expecting expected: UInt64) {
    guard let bytes = mapping?.bytes, bytes.count > start else { return }
    var offset = start
    while offset + 8 <= bytes.count {
      if bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) != 0 {
        byteCount = offset + 8 - start
        if !hasEntry { hasEntry = Self.isEntry(bytes, offset, expected) }
      }
      offset += 8
    }
    for place in offset..<bytes.count where bytes[place] != 0 { byteCount = place + 1 - start }
  }

  private static func isEntry(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ expected: UInt64) -> Bool {
    guard offset + LogEntry.headByteCount <= bytes.count else { return false }
    // Most of what is no entry has no such number: its checksum need not be made.
    let number = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
    guard number >= expected, number - expected < 1 << 32 else { return false }
    if case .entry = LogEntry.read(bytes, at: offset) { return true }
    return false
  }
}
