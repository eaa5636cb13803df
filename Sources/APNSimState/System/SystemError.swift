#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The reason why the operating system refused something, in plain words.
struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  let code: CInt
  private let reason: String

  /// The error of the last call.
  static var last: SystemError { SystemError(errno) }

  init(_ code: CInt) { (self.code, reason) = (code, Self.words(for: code)) }

  init(_ reason: String) { (code, self.reason) = (0, reason) }

  var description: String { reason }

  /// True if there is no file of that name.
  var isAbsence: Bool { code == ENOENT }

  private static func words(for code: CInt) -> String {
    switch code {
    case ENOENT: "no such file or directory"
    case EACCES, EPERM: "permission denied"
    case EROFS: "read-only file system"
    case ENOSPC: "no space left on the device"
    case EFBIG, EDQUOT: "the file cannot grow any more"
    case EMFILE: "too many open files"
    case ENFILE: "the system has too many open files"
    case ENOTDIR: "a part of the path is not a directory"
    case ELOOP: "it is a symbolic link, and a file was expected"
    default: String(cString: strerror(code))
    }
  }
}
