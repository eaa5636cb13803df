import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Questions and calls to the system about this process.
package enum ThisProcess {
  package static var identifier: Int { Int(getpid()) }

  /// The number of the user by whose rights it may open files.
  package static var user: Int { Int(geteuid()) }

  /// True if it has a controlling terminal, whose end the kernel tells with SIGHUP.
  package static var hasControllingTerminal: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    close(terminal)
    return true
  }

  /// Returns memory that is free to the system. glibc's allocator keeps what was much in use until it is asked; other
  /// libraries have no such function.
  package static func returnFreeMemory() {
    typealias Trim = @convention(c) (Int) -> CInt
    guard let trim = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(trim, to: Trim.self)(0)
  }

  // MARK: Open files

  /// The maximum number of its open files and sockets.
  package static var descriptorLimit: Int {
    var limit = rlimit()
    guard getrlimit(descriptors, &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Raises that limit as far as needed and allowed.
  package static func raiseDescriptorLimit(to wanted: Int) {
    var limit = rlimit()
    guard getrlimit(descriptors, &limit) == 0, limit.rlim_cur < rlim_t(clamping: wanted) else { return }
    limit.rlim_cur = min(rlim_t(clamping: wanted), limit.rlim_max)
    _ = setrlimit(descriptors, &limit)
  }

  /// The number of descriptors that are open, as far as this counts.
  package static var openDescriptorCount: Int {
    (0..<CInt(clamping: min(descriptorLimit, mostCounted))).count { fcntl($0, F_GETFD) >= 0 }
  }

  private static let mostCounted = 1024

  #if canImport(Glibc)
    private static let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let descriptors = RLIMIT_NOFILE
  #endif

  // MARK: Threads

  /// Starts a thread that nobody waits for.
  /// - Returns: false where no thread can be had; nothing has been called then.
  package static func startThread(
    _ argument: UnsafeMutableRawPointer,
    _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  ) -> Bool {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    guard pthread_create(&thread, nil, body, argument) == 0 else { return false }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
    return true
  }

  /// Gives the calling thread less weight than others, where the system gives threads a weight of their own.
  package static func lowerThreadWeight(to niceness: CInt) {
    // Linux takes 0 for the calling thread, others for the whole process.
    #if canImport(Glibc)
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
    #elseif canImport(Musl)
      _ = setpriority(PRIO_PROCESS, 0, niceness)
    #endif
  }

  // MARK: Its end

  /// Calls a function when the process ends by itself.
  package static func atEnd(_ body: @escaping @convention(c) () -> Void) { atexit(body) }

  /// Ends the process as usual: what is to be called at its end is called.
  package static func end(_ status: CInt) -> Never { exit(status) }

  /// Ends the process at once.
  package static func endAtOnce(_ status: CInt) -> Never { _exit(status) }
}
