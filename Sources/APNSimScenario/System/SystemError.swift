#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The failure of a system call, in the system's words: `No such file or directory`, `Permission denied`.
package struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The value of `errno`.
  package let code: Int32

  package init(_ code: Int32) { self.code = code }

  /// The failure of the last system call. Must be read at once: an allocation may change it.
  package static var last: SystemError { SystemError(errno) }

  package var description: String { String(cString: strerror(code)) }
}
