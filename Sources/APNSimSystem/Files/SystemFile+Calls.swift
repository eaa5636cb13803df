import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The calls on an open file that swift-system does not have.
extension SystemFile {
  // MARK: The disk

  /// Waits until the content, what a mapping has written to it included, is on the disk.
  package func sync() throws(SystemError) {
    #if canImport(Darwin)
      if fcntl(descriptor.rawValue, F_FULLFSYNC) == 0 { return }
      try call("fsync", path) { fsync(descriptor.rawValue) }
    #else
      try call("fdatasync", path) { fdatasync(descriptor.rawValue) }
    #endif
  }

  /// Waits until the content and the attributes are on the disk: of a directory, the names in it.
  func syncAll() throws(SystemError) {
    try call("fsync", path) { fsync(descriptor.rawValue) }
  }

  /// Gives an empty file so many bytes, all zero, whose place on the disk is certain: a store to a mapping of a file that
  /// finds none ends the process.
  package func allocate(_ byteCount: Int) throws(SystemError) {
    #if !canImport(Darwin)
      while true {
        let code = Errno(rawValue: posix_fallocate(descriptor.rawValue, 0, off_t(byteCount)))
        if code == .interrupted { continue }
        if code.rawValue == 0 { return }
        let isUnknown = [.notSupportedOnSocket, .invalidArgument, .noFunction].contains(code)
        guard isUnknown else { throw SystemError("posix_fallocate", path, code) }
        break
      }
    #endif
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    for offset in stride(from: 0, to: byteCount, by: zeros.count) {
      try write(Array(zeros.prefix(byteCount - offset)), at: Int64(offset))
    }
  }

  /// Writes all bytes past the kernel's cache, at a multiple of 4,096; false if that fails, and the content there is
  /// undefined then.
  package func writeDirectly(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    #if os(Linux)
      let flags = fcntl(descriptor.rawValue, F_GETFL)
      guard flags >= 0, fcntl(descriptor.rawValue, F_SETFL, flags | __O_DIRECT) == 0 else { return false }
      defer { _ = fcntl(descriptor.rawValue, F_SETFL, flags) }
      return pwrite(descriptor.rawValue, bytes.baseAddress, bytes.count, off_t(offset)) == bytes.count
    #else
      return false
    #endif
  }

  // MARK: Locks

  /// The kinds of lock. They belong to the open file and go with the last copy of its descriptor, however the process
  /// ends.
  package enum Lock: Sendable {
    case exclusive
    case shared
  }

  /// Takes a lock.
  /// - Returns: false if another open file has it.
  package func lock(_ lock: Lock = .exclusive) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try call("flock", path) { flock(descriptor.rawValue, lock.flag | LOCK_NB) }
      return true
    } catch {
      guard error.code == .wouldBlock else { throw error }
      return false
    }
  }

  /// Takes the exclusive lock, once nobody else has one.
  package func waitForLock() throws(SystemError) {
    try call("flock", path) { flock(descriptor.rawValue, LOCK_EX) }
  }

  /// Gives a lock back before the file is closed.
  package func unlock() { _ = flock(descriptor.rawValue, LOCK_UN) }

  // MARK: Attributes

  /// Sets the permissions, whatever the umask is.
  package func setMode(_ mode: UInt32) throws(SystemError) {
    try call("fchmod", path) { fchmod(descriptor.rawValue, mode_t(mode)) }
  }

  /// - Parameter owner: nil to leave the owner as it is.
  package func setOwner(_ owner: UInt32?, group: UInt32) throws(SystemError) {
    try call("fchown", path) { fchown(descriptor.rawValue, owner ?? .max, group) }
  }

  /// True for a terminal, as opposed to a file or a pipe.
  package var isTerminal: Bool { isatty(descriptor.rawValue) == 1 }

  // MARK: Pipes

  /// Makes a pipe.
  static func pipe() throws(SystemError) -> (reading: SystemFile, writing: SystemFile) {
    let ends = try calling("pipe", nil) { try FileDescriptor.pipe() }
    for end in [ends.readEnd, ends.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
    return (
      SystemFile(ends.readEnd, path: "a pipe", isRegular: false),
      SystemFile(ends.writeEnd, path: "a pipe", isRegular: false)
    )
  }

  /// Has reading and writing from now on not wait.
  func stopWaiting() { _ = fcntl(descriptor.rawValue, F_SETFL, O_NONBLOCK) }

  /// True once something can be written without waiting: a pipe that says so has room for a page. True as well where the
  /// system cannot say.
  /// - Parameter milliseconds: the most to wait for that.
  package func hasRoom(within milliseconds: Int32) -> Bool {
    var stream = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
    return (try? call("poll", path) { poll(&stream, 1, milliseconds) }) != 0
  }

  /// True for a pipe whose reader has gone.
  package var hasLostReader: Bool {
    var stream = pollfd(fd: descriptor.rawValue, events: 0, revents: 0)
    return poll(&stream, 1, 0) == 1 && stream.revents & Int16(POLLERR) != 0
  }

  /// Opens standard streams that were closed on `/dev/null`: the next file that is opened would get their numbers.
  package static func holdStandardStreams() {
    for stream in [FileDescriptor.standardInput, .standardOutput, .standardError]
    where fcntl(stream.rawValue, F_GETFD) < 0 {
      // In the wrong direction, so that using it stays an error.
      _ = try? FileDescriptor.open("/dev/null", stream == .standardInput ? .writeOnly : .readOnly)
    }
  }
}

extension SystemFile.Lock {
  fileprivate var flag: CInt {
    switch self {
    case .exclusive: LOCK_EX
    case .shared: LOCK_SH
    }
  }
}

/// Makes a call of the C library, and makes it again where a signal interrupts it.
/// - Throws: the reason that `errno` has where the result is negative.
@discardableResult
func call<Result: SignedInteger>(
  _ operation: String,
  _ path: String?,
  _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    if result >= 0 { return result }
    let code = Errno(rawValue: errno)
    guard code == .interrupted else { throw SystemError(operation, path, code) }
  }
}
