import SystemPackage

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
package final class ChildProcess {
  private let process: pid_t
  /// Nil once it is closed.
  private var input: SystemFile?
  private let output: SystemFile
  private var isAtEnd = false
  /// The file that takes its standard error.
  private let errorFile: UnlinkedFile
  private var code: CInt?

  /// Starts it.
  /// - Parameters:
  ///   - program: the path of its file.
  ///   - arguments: what follows its name.
  ///   - environment: all of it.
  package init(
    _ program: String,
    _ arguments: [String],
    environment: [String: String]
  ) throws(SystemError) {
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    errorFile = try UnlinkedFile()
    let (theirInput, input) = try SystemFile.pipe()
    input.stopWaiting()
    let (output, theirOutput) = try SystemFile.pipe()
    process = try Self.spawn([program] + arguments, variables, [theirInput, theirOutput, errorFile.file])
    (self.input, self.output) = (input, output)
  }

  deinit {
    guard code == nil else { return }
    closeInput()
    kill(process, SIGKILL)
    _ = wait()
  }

  /// Writes all of it to the program's input, unless the program has closed that.
  /// - Parameter take: gets what the program writes meanwhile, so that neither waits for the other.
  package func write(
    _ bytes: [UInt8],
    _ take: ([UInt8]) throws(SystemError) -> Void
  ) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty, let input {
      let ready = try waitForEither(input)
      if ready.output {
        let more = try next(upTo: 64 * 1024)
        if !more.isEmpty { try take(more) }
      }
      guard ready.input else { continue }
      do throws(SystemError) {
        rest = rest.dropFirst(try writePart(of: rest, to: input))
      } catch {
        guard error.code == .brokenPipe else { throw error }
        closeInput()
      }
    }
  }

  /// Waits until the program takes input, or has written output.
  private func waitForEither(_ input: SystemFile) throws(SystemError) -> (input: Bool, output: Bool) {
    var ends = [
      pollfd(fd: input.descriptor.rawValue, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: isAtEnd ? -1 : output.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
    ]
    try call("poll", nil) { poll(&ends, 2, -1) }
    return (ends[0].revents != 0, ends[1].revents != 0)
  }

  /// - Returns: the number of bytes that the pipe has taken.
  private func writePart(of bytes: ArraySlice<UInt8>, to input: SystemFile) throws(SystemError) -> Int {
    do throws(SystemError) {
      return try Signals.withoutPipeSignal { () throws(SystemError) in
        try calling("write", input.path) { try bytes.withUnsafeBytes { try input.descriptor.write($0) } }
      }
    } catch {
      guard error.code == .resourceTemporarilyUnavailable else { throw error }
      return 0
    }
  }

  /// Ends the program's input.
  package func closeInput() { input = nil }

  /// Reads what the program writes next, blocking until it does; empty at the end.
  package func next(upTo limit: Int) throws(SystemError) -> [UInt8] {
    let bytes = try output.next(upTo: limit)
    isAtEnd = bytes.isEmpty
    return bytes
  }

  /// The beginning of its standard error.
  package var errors: String {
    String(decoding: (try? errorFile.read(from: 0, upTo: Self.mostErrors)) ?? [], as: UTF8.self)
  }

  private static let mostErrors = 64 * 1024

  /// Waits until it has ended.
  /// - Returns: the status as shells give it: its exit code, or 128 + signal.
  package func wait() -> CInt {
    if let code { return code }
    var status: CInt = 0
    _ = try? call("waitpid", nil) { waitpid(process, &status, 0) }
    let signal = status & 0x7F
    let result = signal == 0 ? status >> 8 & 0xFF : 128 + signal
    code = result
    return result
  }

  private static func spawn(
    _ arguments: [String],
    _ environment: [String],
    _ standard: [SystemFile]
  ) throws(SystemError) -> pid_t {
    #if canImport(Darwin)
      var files: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var files = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    func check(_ code: CInt) throws(SystemError) {
      guard code == 0 else { throw SystemError("posix_spawn", arguments[0], Errno(rawValue: code)) }
    }
    try check(posix_spawn_file_actions_init(&files))
    defer { posix_spawn_file_actions_destroy(&files) }
    for (number, file) in standard.enumerated() {
      try check(posix_spawn_file_actions_adddup2(&files, file.descriptor.rawValue, CInt(number)))
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

    var process: pid_t = 0
    let code = CStringList.with(arguments) { words in
      CStringList.with(environment) { variables in
        posix_spawn(&process, arguments[0], &files, &attributes, words, variables)
      }
    }
    try check(code)
    return process
  }
}

/// Texts as C takes the arguments and the environment of a program.
package enum CStringList {
  /// Calls with a null-terminated list of C strings, which are gone after it.
  package static func with<Result>(
    _ texts: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }
}
