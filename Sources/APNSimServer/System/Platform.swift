import APNSimTLS

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The functions of the operating system that neither the standard library nor SwiftNIO has.
///
/// They are in one place so that little else has to know which C library there is.
package enum Platform {
  /// The time since 1970-01-01T00:00:00Z by the system's real-time clock.
  package static func realTime() -> (seconds: Int64, nanoseconds: Int64) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return (Int64(now.tv_sec), Int64(now.tv_nsec))
  }

  /// The nanoseconds since some moment, by a clock that is never set and counts the time of a suspended system.
  @inline(__always)
  static func elapsedTime() -> Int64 {
    var now = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC, &now)
    #else
      clock_gettime(CLOCK_BOOTTIME, &now)
    #endif
    return Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
  }

  /// True if this process has a controlling terminal, whose end the kernel tells with SIGHUP.
  static var hasControllingTerminal: Bool {
    let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// Returns memory that is free to the system. glibc's allocator keeps what was much in use until it is asked; other
  /// libraries have no such function.
  package static func returnFreeMemory() {
    typealias Trim = @convention(c) (Int) -> CInt
    guard let trim = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(trim, to: Trim.self)(0)
  }

  static var processIdentifier: Int { Int(getpid()) }

  /// The absolute form of a path.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let directory = getcwd(nil, 0) else { return path }
    defer { free(directory) }
    return String(cString: directory) + "/" + path
  }

  /// The maximum number of open files and sockets of this process.
  package static var descriptorLimit: Int {
    var limit = rlimit()
    guard getrlimit(descriptors, &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises that limit as far as needed and allowed; the usual 1,024 are fewer than the connections we accept.
  static func raiseDescriptorLimit(to wanted: Int) {
    var limit = rlimit()
    guard getrlimit(descriptors, &limit) == 0, limit.rlim_cur < rlim_t(clamping: wanted) else { return }
    limit.rlim_cur = min(rlim_t(clamping: wanted), limit.rlim_max)
    _ = setrlimit(descriptors, &limit)
  }

  /// The number of descriptors that are open, as far as this counts.
  static var openDescriptorCount: Int {
    (0..<CInt(clamping: min(descriptorLimit, mostCounted))).count { fcntl($0, F_GETFD) >= 0 }
  }

  private static let mostCounted = 1024

  /// True if an error of `accept` means that no descriptors or memory are left for another socket.
  static func isExhaustion(_ code: CInt) -> Bool {
    [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code)
  }

  /// Reads a file up to a limit, including files of `/proc`, whose size is reported as zero.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < limit {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// True if an error means that this process has as many files open as it may.
  static func isLimited(_ code: CInt) -> Bool { code == EMFILE }

  static func isAddressInUse(_ code: CInt) -> Bool { code == EADDRINUSE }

  /// True if the machine lacks the address, or its family of addresses.
  static func isAddressMissing(_ code: CInt) -> Bool {
    [EADDRNOTAVAIL, EAFNOSUPPORT, EPFNOSUPPORT].contains(code)
  }

  /// True if binding a port needs privileges.
  static func isForbidden(_ code: CInt) -> Bool { code == EACCES }

  static func isReset(_ code: CInt) -> Bool { code == ECONNRESET || code == EPIPE }

  /// A description of the error of a file or a socket in plain words.
  static func describe(_ code: CInt) -> String {
    switch code {
    case EADDRINUSE: "the port is in use"
    case EMFILE: "this process has too many open files, its limit is \(descriptorLimit)"
    case EADDRNOTAVAIL: "this machine does not have that address"
    default: POSIXFile.words(for: code)
    }
  }

  #if canImport(Glibc)
    private static let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let descriptors = RLIMIT_NOFILE
  #endif
}

// Inside the enum above, `read` would mean its own function.
private func systemRead(_ descriptor: CInt, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
