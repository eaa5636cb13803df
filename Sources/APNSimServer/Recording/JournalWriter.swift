/// Writes a recording to its file, block after block.
///
/// A full block of a regular file goes to the disk as it is, past the kernel's cache, which costs a quarter of the
/// CPU and keeps a long recording from pushing everything else out of memory. The file system may not want that, and
/// a disk may be slower than what comes: then the cache takes it. What is not a whole block goes the usual way, and so
/// does what an encoder makes of the lines.
struct JournalWriter {
  private let file: OutputFile
  private let encoder: JournalEncoder
  /// Where the block that is being filled begins in the file, without an encoder.
  private var offset: Int64 = 0
  /// Bytes of that block which are done with.
  private var done = 0
  /// Bytes in the file that whole lines came to.
  private var whole: Int64 = 0
  /// Lines to be encoded.
  private var lines: [UInt8] = []
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

  init(_ file: OutputFile, _ encoder: JournalEncoder) {
    self.file = file
    self.encoder = encoder
    isDirect = file.isRegular
  }

  mutating func write(_ portion: JournalQueue.Portion) -> Loss? {
    var loss = Loss(lines: 0)
    write(portion, &loss)
    if encoder.isCostly { encode(&loss) }
    if portion.isFull {
      offset += Int64(JournalBlock.byteCount)
      done = 0
    }
    return loss.lines > 0 || loss.failure != nil ? loss : nil
  }

  private mutating func write(_ portion: JournalQueue.Portion, _ loss: inout Loss) {
    let (block, end) = (portion.block, portion.count)
    let bytes = block.bytes(done..<end)
    defer { done = end }
    guard !bytes.isEmpty else { return }
    guard !isBroken else { return loss.lines += Self.lineCount(bytes) }
    guard !encoder.isCostly else { return lines.append(contentsOf: bytes) }
    let isWhole =
      end == JournalBlock.byteCount && done <= Self.mostRepeated && portion.behind < Self.mostBehind
    if isWhole, isDirect { isDirect = file.writeDirectly(block.bytes(0..<end), at: offset) }
    if !(isWhole && isDirect) {
      if let failure = file.write(bytes, at: offset + Int64(done)) {
        return fail(failure, losing: bytes, &loss)
      }
    }
    if let last = bytes.lastIndex(of: Self.newline) { whole = offset + Int64(done + last + 1) }
  }

  /// Encodes and writes the whole lines that there are.
  private mutating func encode(_ loss: inout Loss) {
    guard !isBroken, let last = lines.lastIndex(of: Self.newline) else { return }
    let result = lines[...last].withUnsafeBytes { bytes in
      encoder.encode(bytes) { file.write($0, at: whole) }
    }
    switch result {
    case .success(let count):
      whole += Int64(count)
      lines.removeSubrange(...last)
    case .failure(let failure):
      let lost = lines
      lines = []
      lost.withUnsafeBytes { fail(failure, losing: $0, &loss) }
    }
  }

  /// The file ends with the last line that stands in it as a whole.
  private mutating func fail(
    _ failure: OutputFile.Failure,
    losing bytes: UnsafeRawBufferPointer,
    _ loss: inout Loss
  ) {
    isBroken = true
    loss = Loss(lines: loss.lines + Self.lineCount(bytes), failure: failure)
    file.truncate(to: whole)
    // There may be room for these few bytes now.
    if encoder.ending.withUnsafeBytes({ file.write($0, at: whole) }) != nil { file.truncate(to: whole) }
  }

  /// Writes the lines that the encoder has kept, and what belongs behind the last one.
  mutating func end() -> OutputFile.Failure? {
    guard !isBroken else { return nil }
    var failure: OutputFile.Failure?
    switch encoder.finish({ file.write($0, at: whole) }) {
    case .success(let count): whole += Int64(count)
    case .failure(let reason): failure = reason
    }
    guard let failure = failure ?? encoder.ending.withUnsafeBytes({ file.write($0, at: whole) }) else {
      return nil
    }
    var loss = Loss(lines: 0)
    fail(failure, losing: UnsafeRawBufferPointer(start: nil, count: 0), &loss)
    return loss.failure
  }

  private static let newline = UInt8(ascii: "\n")

  static func lineCount(_ bytes: UnsafeRawBufferPointer) -> Int {
    bytes.reduce(0) { $0 + ($1 == newline ? 1 : 0) }
  }
}
