import APNSimTLS

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that is written from its beginning, piece by piece.
package final class OutputFile: Sendable {
  let path: String
  /// True for a regular file, which can be written at any offset; false for a pipe or a device.
  let isRegular: Bool
  private let descriptor: CInt

  /// The reason why a file could not be made or written.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var reason: String
    /// True if another process has the file.
    package var isInUse = false
    package var description: String { "cannot write \(path): \(reason)" }
  }

  /// Creates the file, or empties it.
  init(path: String) throws(Failure) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failure(path: path, reason: Platform.describe(errno)) }
    var status = stat()
    isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Opens a file to be recorded to, or creates it; what it contains stays.
  init(recordingAt path: String) throws(Failure) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o644)
    guard descriptor >= 0 else { throw Failure(path: path, reason: Platform.describe(errno)) }
    var status = stat()
    isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Opens a file to be looked at; nil if there is none that can be read.
  init?(lookedAt path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    (self.path, self.descriptor) = (path, descriptor)
    var status = stat()
    isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Duplicates the present standard output.
  init(standardOutput path: String) throws(Failure) {
    self.path = path
    // Other processes may write there as well, and have written.
    isRegular = false
    descriptor = dup(1)
    guard descriptor >= 0 else { throw Failure(path: path, reason: Platform.describe(errno)) }
  }

  deinit { close(descriptor) }

  /// Writes all bytes, or returns the reason why not; the file may have part of them then.
  /// - Parameter offset: the offset in a regular file; any other file is written in order.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64 = 0) -> Failure? {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count =
        isRegular
        ? pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
        : systemWrite(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return Failure(path: path, reason: Platform.describe(errno)) }
      done += count
    }
    return nil
  }

  /// Writes all bytes past the kernel's cache, at a multiple of 4,096; false if that fails, and the content there is
  /// undefined then.
  func writeDirectly(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    #if os(Linux)
      let flags = fcntl(descriptor, F_GETFL)
      guard flags >= 0, fcntl(descriptor, F_SETFL, flags | __O_DIRECT) == 0 else { return false }
      defer { _ = fcntl(descriptor, F_SETFL, flags) }
      return pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) == bytes.count
    #else
      return false
    #endif
  }

  /// Truncates a regular file, to be continued from there; pipes, terminals and files to which others write as well
  /// stay unchanged.
  func truncate(to byteCount: Int64) {
    guard isRegular else { return }
    if ftruncate(descriptor, off_t(byteCount)) == 0 { _ = lseek(descriptor, off_t(byteCount), SEEK_SET) }
  }

  // MARK: Shared files

  /// Takes the lock of the file, which goes with the last copy of the descriptor; false if another process has it. A
  /// file system without locks does without.
  func lock() -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EINTR else { return errno != EWOULDBLOCK }
    }
    return true
  }

  /// True if another open file has the lock.
  var isLocked: Bool {
    while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
      guard errno == EINTR else { return errno == EWOULDBLOCK }
    }
    unlock()
    return false
  }

  /// Gives the lock back before the file is closed.
  func unlock() { _ = flock(descriptor, LOCK_UN) }

  /// A change of a file by others while it is open.
  enum Change: Hashable {
    case deleted
    /// The path names another file, or none.
    case renamed
  }

  /// The change that has come over a file that should be at its path; nil if there is none.
  var change: Change? {
    var status = stat()
    guard isRegular, fstat(descriptor, &status) == 0 else { return nil }
    if status.st_nlink == 0 { return .deleted }
    return hasItsName ? nil : .renamed
  }

  /// True for a regular file that others have made shorter than the bytes that were written to it.
  func isShorter(than byteCount: Int64) -> Bool {
    var status = stat()
    return isRegular && fstat(descriptor, &status) == 0 && Int64(status.st_size) < byteCount
  }

  /// True if the byte before an offset is 0, which no text and no flushed gzip stream ends with: others have truncated
  /// the file, and what was written at the offset stands behind a hole.
  func hasHole(before offset: Int64) -> Bool {
    guard isRegular, offset > 0 else { return false }
    var byte: UInt8 = 1
    return pread(descriptor, &byte, 1, off_t(offset - 1)) == 1 && byte == 0
  }

  /// True if the path still names this file.
  var hasItsName: Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  var inode: UInt64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt64(truncatingIfNeeded: status.st_ino) : 0
  }

  /// The size in bytes.
  var byteCount: Int64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Reads bytes of a file that was opened to be recorded to.
  /// - Returns: their number; 0 at the end, or where they cannot be read.
  func read(into bytes: inout [UInt8], at offset: Int64) -> Int {
    while true {
      let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
      if count < 0, errno == EINTR { continue }
      return max(0, count)
    }
  }

  /// Puts a small file in place in one step, as `FileReplacement` does.
  static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let place = FileReplacement(of: path)
    var failure: Failure?
    do throws(Failure) {
      let file = try OutputFile(path: place.draft)
      failure = bytes.withUnsafeBytes { file.write($0) }
    } catch {
      failure = error
    }
    if failure == nil, !place.commit() {
      failure = Failure(path: path, reason: Platform.describe(errno))
    }
    if let failure {
      place.discard()
      throw Failure(path: path, reason: failure.reason)
    }
  }
}

// Inside the class, `write` would mean its own method.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
