#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files and directories of the system, as far as people's files need them.
package enum SystemFile {
  /// Reads a file, or the standard input for `-`, to its end or a limit. A pipe is waited for.
  /// - Parameter limit: the most bytes to return.
  package static func bytes(of path: String, upTo limit: Int) throws(SystemError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { if path != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < limit {
      let most = min(chunk.count, limit - bytes.count)
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, most) }
      if count < 0 {
        guard errno == EINTR else { throw .last }
      } else if count == 0 {
        break
      } else {
        bytes += chunk[..<count]
      }
    }
    return bytes
  }

  /// The names in a directory, sorted, without `.` and `..`.
  package static func names(in directory: String) throws(SystemError) -> [String] {
    guard let handle = opendir(directory) else { throw .last }
    defer { closedir(handle) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(handle) {
      // An entry is only as long as its name, so the whole structure must not be copied.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw .last }
    return names.sorted()
  }

  package static func exists(_ path: String) -> Bool { facts(path) != nil }

  /// Why a file may not be read; nil where it may be, and where there is none.
  package static func refusal(of path: String) -> SystemError? {
    guard access(path, R_OK) != 0 else { return nil }
    let reason = SystemError.last
    return [ENOENT, ENOTDIR].contains(reason.code) ? nil : reason
  }

  package static func isDirectory(_ path: String) -> Bool {
    facts(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// True for what this process may run.
  package static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

  /// The size in bytes; nil where there is no file.
  package static func size(of path: String) -> Int? { facts(path).map { Int($0.st_size) } }

  /// Removes a file, if there is one.
  package static func remove(_ path: String) { _ = unlink(path) }

  private static func facts(_ path: String) -> stat? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts : nil
  }

  // MARK: Places

  /// The directory for temporary files, without a `/` at its end.
  package static var temporaryDirectory: String {
    guard let value = getenv("TMPDIR"), value[0] != 0 else { return "/tmp" }
    let path = String(cString: value)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The path of a temporary file or directory that does not exist yet: its name cannot be guessed.
  package static func temporaryPath(ending: String = "") -> String {
    let number = UInt64.random(in: .min ... .max)
    return "\(temporaryDirectory)/apnsim-\(String(number, radix: 16))\(ending)"
  }

  /// The directory that relative paths begin in; `.` where it has no name any more.
  package static var currentDirectory: String {
    guard let directory = getcwd(nil, 0) else { return "." }
    defer { free(directory) }
    return String(cString: directory)
  }
}
