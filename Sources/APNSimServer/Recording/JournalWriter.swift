import APNSimSystem

/// Writes a recording to its file, block after block.
///
/// A full block of a regular file goes to the disk directly, past the kernel's cache, which costs a quarter of the
/// CPU and keeps a long recording from displacing everything else from memory. If the file system refuses that, or
/// the disk is too slow, the cache takes it. Partial blocks and encoded lines are written through the cache.
struct JournalWriter {
  private let file: SystemFile
  private let encoder: JournalEncoder
  /// The offset in the file of the next byte, without an encoder.
  private var position: Int64 = 0
  /// The number of bytes of that block that are processed.
  private var done = 0
  /// The length of the whole lines in the file, in bytes.
  private var whole: Int64 = 0
  /// The length of what was there before, in bytes; it may end with zeros.
  private var base: Int64 = 0
  /// The lines to be encoded.
  private var lines: [UInt8] = []
  private var isDirect: Bool
  /// True once the file has failed or ended, and nothing may be written any more.
  private var isBroken = false
  /// The changes of the file by others that were reported.
  private var reported: Set<SystemFile.Change> = []
  private var course: RecordingCourse
  /// The event with which the recording began anew, until that is said.
  private var beginning: UInt64?

  /// The lines that could not be written.
  struct Loss {
    var lines: Int
    /// The failure; nil when the file had failed before.
    var failure: OutputFailure?
  }

  /// The maximum number of bytes of a block that are written a second time.
  private static let mostRepeated = JournalBlock.byteCount / 4
  /// The number of waiting blocks from which the disk counts as too slow.
  private static let mostBehind = 8

  /// - Parameter end: the end of the recording that is continued; nil for one that begins.
  init(_ file: SystemFile, _ encoder: JournalEncoder, after end: RecordingEnd? = nil) {
    self.file = file
    self.encoder = encoder
    course = end.map { RecordingCourse(after: $0) } ?? RecordingCourse()
    base = end.map { $0.byteCount + Int64($0.ending.count) } ?? 0
    (position, whole) = (base, base)
    // In a file that is continued, blocks of memory do not begin where blocks of the file do.
    isDirect = file.isRegular && end == nil
  }

  mutating func write(_ portion: JournalQueue.Portion) -> Loss? {
    var loss = Loss(lines: 0)
    mend(&loss)
    write(portion, &loss)
    if encoder.isCostly { encode(&loss) }
    if portion.isFull { done = 0 }
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
    if isWhole, isDirect { isDirect = file.writeDirectly(block.bytes(0..<end), at: position - Int64(done)) }
    if !(isWhole && isDirect) {
      if let failure = file.store(bytes, at: position) { return fail(failure, losing: bytes, &loss) }
    }
    if hasHole(before: isWhole && isDirect ? position - Int64(done) : position) {
      beginAnew(&loss)
      guard !isBroken else { return loss.lines += Self.lineCount(bytes) }
      if let failure = file.store(bytes, at: position) { return fail(failure, losing: bytes, &loss) }
    }
    if let last = bytes.lastIndex(of: Self.newline) { whole = position + Int64(last + 1) }
    position += Int64(bytes.count)
    course.follow(bytes)
  }

  /// Encodes and writes the whole lines.
  private mutating func encode(_ loss: inout Loss) {
    guard !isBroken, let last = lines.lastIndex(of: Self.newline) else { return }
    let result = lines[...last].withUnsafeBytes { bytes in
      encoder.encode(bytes) { file.store($0, at: whole) }
    }
    switch result {
    case .success(let count):
      if hasHole(before: whole) { beginAnew(&loss, again: true) } else { whole += Int64(count) }
      lines[...last].withUnsafeBytes { course.follow($0) }
      if !isBroken { lines.removeSubrange(...last) }
    case .failure(let failure):
      let lost = lines
      lines = []
      lost.withUnsafeBytes { fail(failure, losing: $0, &loss) }
    }
  }

  /// True if what was written at an offset stands after a hole.
  private func hasHole(before offset: Int64) -> Bool { offset > base && file.hasHole(before: offset) }

  /// Looks whether others have truncated the file, and begins the recording anew in it then.
  mutating func mend() -> Loss? {
    var loss = Loss(lines: 0)
    mend(&loss)
    return loss.lines > 0 || loss.failure != nil ? loss : nil
  }

  private mutating func mend(_ loss: inout Loss) {
    guard !isBroken, file.isShorter(than: encoder.isCostly ? whole : position) else { return }
    beginAnew(&loss)
  }

  /// Empties the file and begins it as the next part of the recording: with the first line, which says where it
  /// continues, and the beginning of the line that had not ended.
  /// - Parameter again: true if the lines that were encoded last stand after the hole.
  private mutating func beginAnew(_ loss: inout Loss, again: Bool = false) {
    file.truncate(to: 0)
    // The blocks of memory are no longer blocks of the file.
    isDirect = false
    (position, whole, base) = (0, 0, 0)
    guard encoder.isCostly else {
      let (line, event) = course.continuation()
      let bytes = line + course.partial
      if let failure = bytes.withUnsafeBytes({ file.store($0) }) {
        return bytes.withUnsafeBytes { fail(failure, losing: $0, &loss) }
      }
      (position, whole, beginning) = (Int64(bytes.count), Int64(line.count), event)
      return
    }
    let course = course
    var first: UInt64 = 0
    let result = encoder.beginAnew(again: again) { kept in
      let (line, event) = course.continuation(from: RecordingCourse.event(of: kept))
      first = event
      return line
    } _: {
      file.store($0)
    }
    switch result {
    case .success(let count): (whole, beginning) = (Int64(count), first)
    case .failure(let failure): fail(failure, losing: UnsafeRawBufferPointer(start: nil, count: 0), &loss)
    }
  }

  /// The event with which the recording began anew since the last call; nil if it did not, 0 if it has no header.
  mutating func takeBeginning() -> UInt64? {
    defer { beginning = nil }
    return beginning
  }

  /// Truncates the file after its last whole line.
  private mutating func fail(
    _ failure: OutputFailure,
    losing bytes: UnsafeRawBufferPointer,
    _ loss: inout Loss
  ) {
    isBroken = true
    loss = Loss(lines: loss.lines + Self.lineCount(bytes), failure: failure)
    file.truncate(to: whole)
    // The few bytes of the ending may fit now.
    if encoder.ending.withUnsafeBytes({ file.store($0, at: whole) }) != nil { file.truncate(to: whole) }
  }

  /// The change that others have made to the file since the last call; nil if there is none, or after a failure.
  mutating func change() -> SystemFile.Change? {
    guard !isBroken, let change = file.change else { return nil }
    return reported.insert(change).inserted ? change : nil
  }

  /// True if the path still names the file.
  var hasItsName: Bool { file.isInPlace() }

  /// Writes the lines that the encoder has kept, and the ending after the last one.
  /// - Parameter isPart: true if the recording goes on in another file.
  mutating func end(isPart: Bool = false) -> OutputFailure? {
    defer {
      // From here on the file is somebody else's.
      isBroken = true
      file.unlock()
    }
    guard !isBroken else { return nil }
    var failure: OutputFailure?
    switch encoder.finish(isPart: isPart, { file.store($0, at: whole) }) {
    case .success(let count): whole += Int64(count)
    case .failure(let reason): failure = reason
    }
    guard let failure = failure ?? encoder.ending.withUnsafeBytes({ file.store($0, at: whole) }) else {
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
