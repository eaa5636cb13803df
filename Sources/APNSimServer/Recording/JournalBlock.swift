/// A block of memory for a recording: `byteCount` bytes of the file, at a multiple of that.
///
/// Blocks are reused. A block is filled, then written, never both at the same time.
final class JournalBlock: Sendable {
  static let byteCount = 1 << 20
  /// The alignment of memory, offsets and lengths that disks and file systems need for direct writes, in bytes.
  private static let alignment = 4096

  private nonisolated(unsafe) let memory: UnsafeMutableRawPointer

  init() { memory = .allocate(byteCount: Self.byteCount, alignment: Self.alignment) }

  deinit { memory.deallocate() }

  /// Copies as many of the bytes as fit after the first `count`; returns their number.
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
