import APNSimCapture
import APNSimScenario

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A child process whose standard input and output are pipes. It is killed when this object is released.
///
/// Foundation's `Process` reads past the end of its list of descriptors where a process has thousands of them
/// (swift-corelibs-foundation, pull request 5472), and `Subprocess` is asynchronous, which reading a capture is not.
final class ChildProcess {
  private let process: pid_t
  /// -1 once it is closed.
  private var input: CInt
  private let output: CInt
  private var isAtEnd = false
  /// The file that takes its standard error.
  private let errorFile: UnlinkedFile
  private var code: Int32?

  /// Starts it.
  /// - Parameters:
  ///   - program: the path of its file.
  ///   - arguments: what follows its name.
  ///   - environment: all of it.
  /// - Throws: `SystemError` when it does not start.
  init(
    _ program: String,
    _ arguments: [String],
    environment: [String: String]
  ) throws {
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    var ours: [CInt] = []
    do {
      errorFile = try UnlinkedFile()
      let (theirInput, input) = try Self.pipe()
      defer { close(theirInput) }
      ours.append(input)
      _ = fcntl(input, F_SETFL, O_NONBLOCK)
      let (output, theirOutput) = try Self.pipe()
      defer { close(theirOutput) }
      ours.append(output)
      process = try Self.spawn(
        [program] + arguments,
        variables,
        [theirInput, theirOutput, errorFile.descriptor]
      )
      (self.input, self.output) = (input, output)
    } catch {
      for descriptor in ours { close(descriptor) }
      throw error
    }
  }

  deinit {
    closeInput()
    close(output)
    guard code == nil else { return }
    kill(process, SIGKILL)
    _ = wait()
  }

  /// Writes all of it to the program's input, unless the program has closed that.
  /// - Parameter take: gets what the program writes meanwhile, so that neither waits for the other.
  /// - Throws: `SystemError`, and what `take` throws.
  func write(_ bytes: [UInt8], _ take: ([UInt8]) throws -> Void) throws {
    var rest = bytes[...]
    while !rest.isEmpty, input >= 0 {
      var ends = [
        pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: isAtEnd ? -1 : output, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&ends, 2, -1) >= 0 else {
        if errno == EINTR { continue }
        throw SystemError.last
      }
      if ends[1].revents != 0 {
        let more = try next(upTo: 64 * 1024)
        if !more.isEmpty { try take(more) }
      }
      guard ends[0].revents != 0 else { continue }
      let (count, error) = Self.withoutSignal {
        rest.withUnsafeBytes { systemWrite(input, $0.baseAddress, $0.count) }
      }
      switch error {
      case 0: rest = rest.dropFirst(count)
      case EAGAIN, EINTR: continue
      case EPIPE: closeInput()
      default: try Self.check(error)
      }
    }
  }

  /// Ends the program's input.
  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Writes to a pipe that may have no reader any more: an error, not the end of this process.
  private static func withoutSignal(_ write: () -> Int) -> (count: Int, error: CInt) {
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    let count = write()
    let error = count < 0 ? errno : 0
    if error == EPIPE {
      var pending = sigset_t()
      var number: CInt = 0
      sigpending(&pending)
      if sigismember(&pending, SIGPIPE) == 1 { sigwait(&signals, &number) }
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return (max(count, 0), error)
  }

  /// Reads what the program writes next, blocking until it does; empty at the end.
  /// - Throws: `SystemError`.
  func next(upTo limit: Int) throws -> [UInt8] {
    var error: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      let result = systemRead(output, UnsafeMutableRawBufferPointer(buffer))
      if result < 0 { error = errno }
      count = max(result, 0)
    }
    try Self.check(error)
    isAtEnd = bytes.isEmpty
    return bytes
  }

  /// The beginning of its standard error.
  var errors: String {
    String(decoding: (try? errorFile.read(from: 0, upTo: Self.mostErrors)) ?? [], as: UTF8.self)
  }

  private static let mostErrors = 64 * 1024

  /// Waits until it has ended.
  /// - Returns: the status as shells give it: its exit code, or 128 + signal.
  func wait() -> Int32 {
    if let code { return code }
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    let result = signal == 0 ? status >> 8 & 0xFF : 128 + signal
    code = result
    return result
  }

  /// A pipe that programs started later do not inherit.
  private static func pipe() throws -> (reading: CInt, writing: CInt) {
    var ends: [CInt] = [-1, -1]
    try check(systemPipe(&ends) == 0 ? 0 : errno)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ arguments: [String],
    _ environment: [String],
    _ standard: [CInt]
  ) throws -> pid_t {
    #if canImport(Darwin)
      var files: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var files = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    try check(posix_spawn_file_actions_init(&files))
    defer { posix_spawn_file_actions_destroy(&files) }
    for (number, descriptor) in standard.enumerated() {
      try check(posix_spawn_file_actions_adddup2(&files, descriptor, CInt(number)))
    }

    // The program ends when nobody reads its pipe, whatever this process does with its own.
    try check(posix_spawnattr_init(&attributes))
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    try check(posix_spawnattr_setsigmask(&attributes, &signals))
    sigaddset(&signals, SIGPIPE)
    try check(posix_spawnattr_setsigdefault(&attributes, &signals))
    try check(posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)))

    let (words, variables) = (arguments.map { strdup($0) } + [nil], environment.map { strdup($0) } + [nil])
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    try check(posix_spawn(&process, arguments[0], &files, &attributes, words, variables))
    return process
  }

  private static func check(_ error: CInt) throws {
    guard error != 0 else { return }
    throw SystemError(error)
  }
}

// Inside the class, `write` and `pipe` would mean its own methods.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

private func systemPipe(_ ends: inout [CInt]) -> CInt { pipe(&ends) }
