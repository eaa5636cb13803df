/// Writes a recording to its file, block after block.
///
/// A full block of a regular file goes to the disk as it is, past the kernel's cache, which costs a quarter of the
/// CPU and keeps a long recording from pushing everything else out of memory. The file system may not want that, and
/// a disk may be slower than what comes: then the cache takes it. What is not a whole block goes the usual way.
struct JournalWriter {
  private let file: OutputFile
  /// Where the block that is being filled begins in the file.
  private var offset: Int64 = 0
  /// Bytes of that block which stand in the file already.
  private var written = 0
  /// Bytes of whole lines that stand in the file.
  private var whole: Int64 = 0
  private var isDirect: Bool
  /// The file failed, so that nothing may be written behind what it has.
  private var isBroken = false

  /// What could not be written.
  struct Loss {
    var lines: Int
    /// Nil when the file had failed before.
    var failure: OutputFile.Failure?
  }

  /// A block of which so much stands in the file already is not written once more.
  private static let mostRepeated = JournalBlock.byteCount / 4
  /// So many blocks behind, the disk is slower than what comes.
  private static let mostBehind = 8

  init(_ file: OutputFile) {
    self.file = file
    isDirect = file.isRegular
  }

  mutating func write(_ waiting: JournalQueue.Waiting) -> Loss? {
    var loss: Loss?
    for (index, block) in waiting.full.enumerated() {
      let isBehind = waiting.full.count - index > Self.mostBehind
      note(write(block, upTo: JournalBlock.byteCount, isBehind: isBehind), &loss)
      offset += Int64(JournalBlock.byteCount)
      written = 0
    }
    if let block = waiting.filling { note(write(block, upTo: waiting.count, isBehind: false), &loss) }
    return loss
  }

  private func note(_ new: Loss?, _ loss: inout Loss?) {
    guard let new else { return }
    loss = Loss(lines: (loss?.lines ?? 0) + new.lines, failure: loss?.failure ?? new.failure)
  }

  private mutating func write(_ block: JournalBlock, upTo end: Int, isBehind: Bool) -> Loss? {
    let bytes = block.bytes(written..<end)
    guard !bytes.isEmpty else { return nil }
    guard !isBroken else {
      written = end
      return Loss(lines: Self.lineCount(bytes), failure: nil)
    }
    if end == JournalBlock.byteCount, written <= Self.mostRepeated, isDirect, !isBehind {
      isDirect = file.writeDirectly(block.bytes(0..<end), at: offset)
      if isDirect {
        noteWritten(bytes, upTo: end)
        return nil
      }
    }
    if let failure = file.write(bytes, at: offset + Int64(written)) {
      isBroken = true
      written = end
      file.truncate(to: whole)
      return Loss(lines: Self.lineCount(bytes), failure: failure)
    }
    noteWritten(bytes, upTo: end)
    return nil
  }

  private mutating func noteWritten(_ bytes: UnsafeRawBufferPointer, upTo end: Int) {
    if let last = bytes.lastIndex(of: Self.newline) { whole = offset + Int64(written + last + 1) }
    written = end
  }

  private static let newline = UInt8(ascii: "\n")

  static func lineCount(_ bytes: UnsafeRawBufferPointer) -> Int {
    bytes.reduce(0) { $0 + ($1 == newline ? 1 : 0) }
  }
}
