import APNSimCore
import APNSimSystem
import APNSimWire
import SystemPackage

/// Reads the inputs of a log in their order, from the one after a snapshot on.
///
/// A log ends at the first entry that is not whole. That is its end, which is cut, where nothing follows it, as a killed
/// process leaves it, or where it may have been in pieces: the machine was started again since, and the place had not
/// reached the disk for certain. Anywhere else it is damage, and nothing is read past it.
struct LogReader {
  /// The entries that were read, and the rest that is to be cut.
  struct End {
    /// The number of the last input; nil if there is none.
    var last: UInt64?
    /// The inputs that were new.
    var inputs = 0
    /// The bytes of their entries.
    var byteCount = 0
    /// The segments that stay, with the bytes that are good in each that was read.
    var segments: [(head: SegmentHead, path: String, used: Int?)] = []
    /// Segments after the one in which the log ends.
    var removed: [String] = []
    /// The number that the next segment has.
    var nextOrdinal: UInt64 = 1
    /// The bytes that were written and are cut.
    var cutBytes = 0
    var remark: String?
  }

  /// The progress of the reading: inputs, bytes read, bytes in all.
  typealias Progress = (_ inputs: Int, _ bytes: Int, _ byteCount: Int) -> Void
  typealias Take = (_ number: UInt64, _ bytes: UnsafeRawBufferPointer) throws(StateError) -> Void

  private struct Found {
    var ordinal: UInt64
    var path: String
    var head: Result<SegmentHead, FileHead.Problem>
    var byteCount: Int
    var synced: Int
  }

  private let directory: StateDirectory
  private let boot: MachineBoot
  private let segments: [Found]

  /// Looks at the heads of all segments.
  /// - Parameter boot: the present time of the machine.
  init(_ directory: StateDirectory, boot: MachineBoot = MachineBoot.current) throws(StateFailure) {
    self.directory = directory
    self.boot = boot
    let ordinals = try directory.numbers.segments
    var segments: [Found] = []
    for ordinal in ordinals {
      let path = directory.path(.log(ordinal))
      if let before = segments.last?.ordinal, before + 1 != ordinal {
        throw .damaged(
          file: directory.path(.log(before + 1)),
          offset: 0,
          reason: "it is missing, and \(StateFileName.log(ordinal).text) follows it"
        )
      }
      segments.append(try Self.look(path, ordinal, origin: directory.origin))
    }
    self.segments = segments
  }

  private static func look(_ path: String, _ ordinal: UInt64, origin: UInt64) throws(StateFailure) -> Found {
    let (bytes, byteCount): ([UInt8], Int)
    do throws(SystemError) {
      let file = try SystemFile(ours: path, .readOnly)
      (bytes, byteCount) = (try file.read(FileHead.byteCount), Int(try file.byteCount))
    } catch {
      throw StateFailure(path, error)
    }
    let head: Result<SegmentHead, FileHead.Problem>
    do throws(FileHead.Problem) {
      let read = try SegmentHead(reading: bytes)
      guard read.ordinal == ordinal else {
        throw .damaged(offset: 16, reason: "segment \(ordinal) was expected, found segment \(read.ordinal)")
      }
      guard read.origin == origin else { throw .damaged(offset: 32, reason: "it belongs to another state") }
      head = .success(read)
    } catch {
      if case .newer = error { throw error.failure(path) }
      head = .failure(error)
    }
    return Found(ordinal: ordinal, path: path, head: head, byteCount: byteCount, synced: SyncMark.read(bytes))
  }

  /// Reads the inputs after one.
  func read(after number: UInt64, progress: Progress, _ take: Take) throws(StateFailure) -> End {
    guard let first = segments.first else {
      throw .damaged(
        file: directory.path(.log(1)),
        offset: 0,
        reason: "a log was expected, and there is none"
      )
    }
    let start = segments.lastIndex { found in
      if case .success(let head) = found.head { head.first <= number + 1 } else { false }
    }
    if start == nil, case .success(let head) = first.head {
      throw .damaged(
        file: first.path,
        offset: 24,
        reason:
          "it begins with input \(head.first), and input \(number + 1) was expected: what was before is missing"
      )
    }
    var walk = Walk(number: number, byteCount: segments[(start ?? 0)...].reduce(0) { $0 + $1.byteCount })
    walk.end.segments = segments[..<(start ?? 0)].compactMap { found in
      if case .success(let head) = found.head { (head, found.path, nil) } else { nil }
    }
    for index in (start ?? 0)..<segments.count {
      guard try self.walk(index, &walk, progress, take) else { break }
    }
    walk.end.last = walk.expected.flatMap { $0 > 1 ? $0 - 1 : nil }
    return walk.end
  }

  /// The state of a reading.
  private struct Walk {
    /// The number of the last input that is known.
    let number: UInt64
    /// The bytes of all segments that are read.
    let byteCount: Int
    /// The number of the next input; nil before the first segment.
    var expected: UInt64?
    /// The bytes of the segments that have been read.
    var before = 0
    var end = End()
  }

  /// Reads a segment.
  /// - Returns: false if the log ends in it.
  private func walk(
    _ index: Int,
    _ walk: inout Walk,
    _ progress: Progress,
    _ take: Take
  ) throws(StateFailure) -> Bool {
    let found = segments[index]
    let head: SegmentHead
    switch found.head {
    case .success(let read): head = read
    case .failure(let problem):
      try end(index, at: 0, &walk, problem)
      return false
    }
    if let expected = walk.expected, head.first != expected {
      let problem = FileHead.Problem.damaged(
        offset: 24,
        reason: "it begins with input \(head.first), and input \(expected) was expected"
      )
      guard head.first > expected else { throw problem.failure(found.path) }
      // The missing entry was after those of the segment before, and there nothing is left.
      try end(index, at: 0, &walk, problem)
      return false
    }
    walk.expected = head.first
    let mapping = try map(found)
    let bytes = mapping?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
    var offset = FileHead.byteCount
    var expected = head.first
    var (inputs, reported) = (0, 0)
    while true {
      switch LogEntry.read(bytes, at: offset) {
      case .entry(let number, let body):
        guard number == expected else {
          throw .damaged(
            file: found.path,
            offset: offset,
            reason: "input \(expected) was expected, found input \(number)"
          )
        }
        let size = LogEntry.byteCount(of: body.count)
        if number > walk.number {
          do throws(StateError) { try take(number, body) } catch {
            throw .damaged(
              file: found.path,
              offset: offset + LogEntry.headByteCount + error.offset,
              reason: "input \(number) cannot happen again: \(error.reason)"
            )
          }
          inputs += 1
          walk.end.byteCount += size
          if inputs - reported == 1024 {
            reported = inputs
            progress(walk.end.inputs + inputs, walk.before + offset, walk.byteCount)
          }
        }
        expected += 1
        offset += size
        continue
      case .nothing:
        walk.expected = expected
        walk.end.inputs += inputs
        walk.before += found.byteCount
        progress(walk.end.inputs, walk.before, walk.byteCount)
        guard index == segments.count - 1 || offset < found.synced else {
          walk.end.segments.append((head, found.path, offset))
          return true
        }
        try end(index, at: offset, &walk, nil)
        return false
      case .damaged(let reason):
        walk.expected = expected
        walk.end.inputs += inputs
        try end(index, at: offset, &walk, .damaged(offset: offset, reason: reason))
        return false
      }
    }
  }

  /// - Returns: nil for an empty file.
  private func map(_ found: Found) throws(StateFailure) -> SystemMapping? {
    guard found.byteCount > 0 else { return nil }
    do throws(SystemError) {
      let file = try SystemFile(ours: found.path, .readOnly)
      return try SystemMapping(file, byteCount: found.byteCount, isWritable: false)
    } catch {
      throw StateFailure(found.path, error)
    }
  }

  /// Ends the log at a place, where nothing whole stands.
  /// - Parameter problem: what stands there; nil for nothing.
  private func end(_ index: Int, at offset: Int, _ walk: inout Walk, _ problem: FileHead.Problem?)
    throws(StateFailure)
  {
    let found = segments[index]
    let expected = walk.expected ?? walk.number + 1
    let start = max(offset, FileHead.byteCount)
    let rest = LogRest(try map(found), from: start, expecting: expected)
    let failure =
      problem?.failure(found.path)
      ?? .damaged(file: found.path, offset: offset, reason: "input \(expected) was expected, found nothing")
    let later = segments[(index + 1)...]
    // Segments reach the disk in their order.
    let isSure = offset < found.synced || later.contains { $0.synced > 0 }
    let head = try? found.head.get()
    // A good head of inputs that do not follow is something, too.
    let isFollowed = rest.hasEntry || !later.isEmpty || (head != nil && offset == 0)
    guard !isSure, !isFollowed || canBeInPieces(index) else { throw failure }
    walk.end.cutBytes = rest.byteCount
    for segment in later {
      walk.end.cutBytes += LogRest(try map(segment), from: FileHead.byteCount, expecting: expected).byteCount
      walk.end.removed.append(segment.path)
    }
    walk.end.nextOrdinal = found.ordinal
    // A segment of which nothing stays is replaced by the next, so that there is a log at any time.
    if let head, offset > FileHead.byteCount {
      walk.end.segments.append((head, found.path, offset))
      walk.end.nextOrdinal += 1
    }
    if walk.end.cutBytes > 0 {
      walk.end.remark =
        "\(found.path): the end was not whole from byte \(Number.grouped(start)) on; "
        + "\(Number.counted(walk.end.cutBytes, "byte")) after input \(expected - 1) were cut"
    }
  }

  /// True if the machine was started again since a segment was written.
  private func canBeInPieces(_ index: Int) -> Bool {
    for found in segments[...index].reversed() {
      guard case .success(let head) = found.head else { continue }
      return !head.boot.isKnown || head.boot != boot
    }
    return false
  }
}
