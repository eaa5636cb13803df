import ServiceLifecycle

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A named pipe that has a reader, held open until it is written to.
///
/// Opening a pipe for writing blocks until it has a reader, without reacting to cancellation.
struct NamedPipe: ~Copyable {
  private let descriptor: CInt

  /// Waits until a path that is a named pipe has a reader; returns nil at once for any other path.
  /// - Throws: `CancellationError` if the process is to end before that.
  static func awaitReader(of path: String) async throws -> NamedPipe? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO else { return nil }
    while true {
      let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 { return NamedPipe(descriptor: descriptor) }
      // The next call that opens the path reports any other reason.
      guard errno == ENXIO else { return nil }
      guard !Task.isShuttingDownGracefully else { throw CancellationError() }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  deinit { close(descriptor) }
}
