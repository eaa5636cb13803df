/// Memory for a stretch of a recording: so many bytes of the file, from a multiple of that on.
///
/// It is used again and again. Whoever has it fills it or writes it out, one after the other, never both.
final class JournalBlock: Sendable {
  static let byteCount = 1 << 20
  /// What disks and file systems want memory, offsets and lengths to be multiples of when nothing is to be copied.
  private static let alignment = 4096

  private nonisolated(unsafe) let memory: UnsafeMutableRawPointer

  init() { memory = .allocate(byteCount: Self.byteCount, alignment: Self.alignment) }

  deinit { memory.deallocate() }

  /// Puts as many of the bytes as fit behind the first `count`; returns how many that were.
  func append(_ bytes: Slice<UnsafeRawBufferPointer>, after count: Int) -> Int {
    let taken = min(bytes.count, Self.byteCount - count)
    let room = UnsafeMutableRawBufferPointer(start: memory + count, count: taken)
    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(taken)))
    return taken
  }

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: memory + range.lowerBound, count: range.count)
  }
}
