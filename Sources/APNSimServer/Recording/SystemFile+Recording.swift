import APNSimSystem
import SystemPackage

/// A file as a recording has it: it is locked while it is written to, and others may do to it what they like.
extension SystemFile {
  /// Opens a file to be recorded to, or creates it; what it contains stays.
  static func recorded(at path: String) throws(OutputFailure) -> SystemFile {
    try OutputFailure.naming(path) { () throws(SystemError) in
      try SystemFile(path, .readWrite, [.create, .nonBlocking], mode: 0o644)
    }
  }

  /// Writes all bytes, or returns the reason why not; the file may have part of them then.
  /// - Parameter offset: the offset in a regular file; any other file is written in order.
  func store(_ bytes: UnsafeRawBufferPointer, at offset: Int64 = 0) -> OutputFailure? {
    do throws(SystemError) {
      try write(bytes, at: offset)
      return nil
    } catch {
      return OutputFailure(path, error)
    }
  }

  /// Truncates a regular file, to be continued from there; pipes, terminals and files to which others write as well
  /// stay unchanged.
  func truncate(to byteCount: Int64) {
    if isRegular { try? resize(to: byteCount) }
  }

  /// Reads bytes.
  /// - Returns: their number; 0 at the end, or where they cannot be read.
  func look(into bytes: inout [UInt8], at offset: Int64) -> Int {
    bytes.withUnsafeMutableBytes { (try? read(into: $0, at: offset)) ?? 0 }
  }

  /// The size in bytes; 0 where it is not known.
  var knownByteCount: Int64 { (try? byteCount) ?? 0 }

  // MARK: Others

  /// Takes the lock of the file; false if another process has it. A file system without locks does without.
  func lockIfPossible() -> Bool { (try? lock()) ?? true }

  /// True if another open file has the lock.
  var isLocked: Bool {
    guard let isFree = try? lock(.shared) else { return false }
    if isFree { unlock() }
    return !isFree
  }

  /// The description of the process that has the lock, to stand at the end of a sentence; empty if it is not found.
  var lockHolder: String {
    let holder = (try? facts).flatMap { LockHolder.find(inode: $0.identity.inode) }
    return holder.map { ", \($0)" } ?? ""
  }

  /// A change of a file by others while it is open.
  enum Change: Hashable {
    case deleted
    /// The path names another file, or none.
    case renamed
  }

  /// The change that has come over a file that should be at its path; nil if there is none.
  var change: Change? {
    guard isRegular, let facts = try? facts else { return nil }
    if facts.linkCount == 0 { return .deleted }
    return isInPlace() ? nil : .renamed
  }

  /// True for a regular file that others have made shorter than the bytes that were written to it.
  func isShorter(than byteCount: Int64) -> Bool {
    guard isRegular, let found = try? self.byteCount else { return false }
    return found < byteCount
  }

  /// True if the byte before an offset is 0, which no text and no flushed gzip stream ends with: others have truncated
  /// the file, and what was written at the offset stands after a hole.
  func hasHole(before offset: Int64) -> Bool {
    guard isRegular, offset > 0 else { return false }
    return (try? read(1, at: offset - 1)) == [0]
  }
}
