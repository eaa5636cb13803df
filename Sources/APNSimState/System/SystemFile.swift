#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A regular file that is open. Symbolic links are not followed: what stands under a name of ours is ours.
final class SystemFile: Sendable {
  enum Access {
    case reading
    /// Reading and writing a file that is there.
    case changing
    /// Reading and writing a file that is there, or is made; it is the owner's alone.
    case opening
    /// A file in place of whatever was there; it is the owner's alone.
    case replacing
  }

  let path: String
  fileprivate let descriptor: CInt

  init(_ path: String, _ access: Access) throws(SystemError) {
    let flags =
      switch access {
      case .reading: O_RDONLY
      case .changing: O_RDWR
      case .opening: O_RDWR | O_CREAT
      case .replacing: O_RDWR | O_CREAT | O_EXCL
      }
    if case .replacing = access, unlink(path) != 0, errno != ENOENT { throw .last }
    self.path = path
    // Without the last flag a pipe of that name would be waited for.
    descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw .last }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .last }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw SystemError("it is not a regular file") }
  }

  deinit { close(descriptor) }

  /// True if a path still leads to this file.
  var isInPlace: Bool {
    var (here, there) = (stat(), stat())
    guard fstat(descriptor, &here) == 0, lstat(path, &there) == 0 else { return false }
    return here.st_dev == there.st_dev && here.st_ino == there.st_ino
  }

  /// The size in bytes.
  var byteCount: Int {
    get throws(SystemError) {
      var facts = stat()
      guard fstat(descriptor, &facts) == 0 else { throw .last }
      return Int(facts.st_size)
    }
  }

  /// Up to so many bytes from an offset on; fewer where the file ends.
  func read(_ count: Int, at offset: Int = 0) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let read = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw .last }
      guard read > 0 else { break }
      done += read
    }
    bytes.removeSubrange(done...)
    return bytes
  }

  /// Writes all bytes; the file may have part of them where it throws.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last }
      done += count
    }
  }

  /// Writes all bytes; the file may have part of them where it throws.
  func write(_ bytes: [UInt8], at offset: Int = 0) throws(SystemError) {
    let error = bytes.withUnsafeBytes { bytes -> SystemError? in
      do throws(SystemError) { try write(bytes, at: offset) } catch { return error }
      return nil
    }
    if let error { throw error }
  }

  /// Waits until what was written, by a mapping as well, is on the disk.
  func sync() throws(SystemError) {
    #if canImport(Darwin)
      let result = fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
    #else
      let result = fdatasync(descriptor)
    #endif
    guard result == 0 else { throw .last }
  }

  func truncate(to byteCount: Int) throws(SystemError) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else { throw .last }
  }

  /// Gives an empty file so many bytes, all zero, whose place on the disk is certain: a store to a mapping of a file that
  /// finds none ends the process.
  func allocate(_ byteCount: Int) throws(SystemError) {
    #if !canImport(Darwin)
      while true {
        let code = posix_fallocate(descriptor, 0, off_t(byteCount))
        if code == EINTR { continue }
        if code == 0 { return }
        guard code == EOPNOTSUPP || code == EINVAL || code == ENOSYS else { throw SystemError(code) }
        break
      }
    #endif
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    for offset in stride(from: 0, to: byteCount, by: zeros.count) {
      try write(Array(zeros.prefix(byteCount - offset)), at: offset)
    }
  }

  /// Takes the lock of the file, which goes with the last copy of the descriptor, however the process ends.
  /// - Returns: false if another process has it.
  func lock() throws(SystemError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .last }
    }
    return true
  }

  /// Gives the lock back before the file is closed.
  func unlock() { _ = flock(descriptor, LOCK_UN) }
}

/// Bytes of a file as memory.
final class SystemMapping: @unchecked Sendable {
  // Who may write where is the business of the owner.
  let start: UnsafeMutableRawPointer
  let byteCount: Int

  /// - Parameter byteCount: not 0, and not more than the file has.
  init(_ file: SystemFile, byteCount: Int, isWritable: Bool) throws(SystemError) {
    let access = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
    let place = mmap(nil, byteCount, access, MAP_SHARED, file.descriptor, 0)
    guard let place, place != UnsafeMutableRawPointer(bitPattern: -1) else { throw .last }
    (start, self.byteCount) = (place, byteCount)
  }

  deinit { munmap(start, byteCount) }

  /// Waits until a range of what was written is on the disk, and nothing else: pages beyond it stay writable.
  func sync(_ range: Range<Int>) throws(SystemError) {
    let page = Int(getpagesize())
    let first = range.lowerBound / page * page
    guard msync(start + first, range.upperBound - first, MS_SYNC) == 0 else { throw .last }
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: byteCount) }
}
