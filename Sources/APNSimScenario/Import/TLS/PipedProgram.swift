import Foundation

/// A program whose standard output is read through a pipe while it runs. It has no input, and is killed when nobody
/// wants to read it any more.
///
/// Foundation's `Process` reads past the end of its list of descriptors where a process has thousands of them
/// (swift-corelibs-foundation, pull request 5472), and `Subprocess` is asynchronous, which reading a capture is not.
final class PipedProgram {
  private let process: pid_t
  private let output: CInt
  /// A file without a name, which takes its standard error: whatever ends us, none is left behind.
  private let errorFile: CInt
  private var code: Int32?

  /// Starts it.
  /// - Parameters:
  ///   - program: the path of its file.
  ///   - arguments: what follows its name.
  ///   - environment: all of it.
  /// - Throws: `POSIXError` when it does not start.
  init(
    _ program: String,
    _ arguments: [String],
    environment: [String: String]
  ) throws {
    let errors = try Self.namelessFile()
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    do {
      let (reading, writing) = try Self.pipe()
      defer { close(writing) }
      do {
        process = try Self.spawn([program] + arguments, variables, output: writing, errors: errors)
      } catch {
        close(reading)
        throw error
      }
      output = reading
    } catch {
      close(errors)
      throw error
    }
    errorFile = errors
  }

  deinit {
    close(output)
    close(errorFile)
    guard code == nil else { return }
    kill(process, SIGKILL)
    _ = wait()
  }

  /// What it writes next, waiting for it; empty at the end.
  /// - Throws: `POSIXError`.
  func next(upTo limit: Int) throws -> [UInt8] {
    var error: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      let result = systemRead(output, UnsafeMutableRawBufferPointer(buffer))
      if result < 0 { error = errno }
      count = max(result, 0)
    }
    try Self.check(error)
    return bytes
  }

  /// The beginning of what it has written to its standard error.
  var errors: String {
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.mostErrors) { buffer, count in
      count = max(0, pread(errorFile, buffer.baseAddress, buffer.count, 0))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let mostErrors = 64 * 1024

  /// Waits until it has ended.
  /// - Returns: what a shell would say: its exit code, or 128 + signal.
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
    try check(Foundation.pipe(&ends) == 0 ? 0 : errno)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func namelessFile() throws -> CInt {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("apnsim-XXXXXX").path
    var template = path.utf8CString.map { $0 }
    let descriptor = mkstemp(&template)
    try check(descriptor >= 0 ? 0 : errno)
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func spawn(
    _ arguments: [String],
    _ environment: [String],
    output: CInt,
    errors: CInt
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
    try check(posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0))
    try check(posix_spawn_file_actions_adddup2(&files, output, 1))
    try check(posix_spawn_file_actions_adddup2(&files, errors, 2))

    // It ends when nobody reads its pipe, whatever we do with our own.
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
    throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO)
  }
}
