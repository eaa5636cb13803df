#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A stream that is open when the program starts, or another file in its place.
struct StandardStream: Sendable {
  let descriptor: CInt

  static let output = StandardStream(descriptor: STDOUT_FILENO)
  static let error = StandardStream(descriptor: STDERR_FILENO)

  /// True for a terminal, as opposed to a file or a pipe.
  var isTerminal: Bool { isatty(descriptor) == 1 }
}
