import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The calls on directories.
package enum SystemFolder {
  /// Makes a directory, and those above it; one that is there stays as it is.
  /// - Parameters:
  ///   - mode: its permissions, less those that the umask takes away.
  ///   - modeAbove: the permissions of those above it, likewise.
  package static func make(_ path: String, mode: UInt32, modeAbove: UInt32) throws(SystemError) {
    let parts = path.split(separator: "/")
    var prefix = path.hasPrefix("/") ? "" : "."
    for (index, part) in parts.enumerated() {
      prefix += "/" + part
      do throws(SystemError) {
        try call("mkdir", prefix) { mkdir(prefix, mode_t(index == parts.count - 1 ? mode : modeAbove)) }
      } catch {
        guard error.code == .fileExists || SystemPath.exists(prefix) else { throw error }
      }
    }
  }

  /// Looks whether files can be made in a directory.
  package static func checkWritable(_ path: String) throws(SystemError) {
    try call("access", path) { access(path, R_OK | W_OK | X_OK) }
  }

  /// The names in a directory, sorted, without `.` and `..`.
  package static func names(in directory: String) throws(SystemError) -> [String] {
    guard let handle = opendir(directory) else {
      throw SystemError("opendir", directory, Errno(rawValue: errno))
    }
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
    let code = Errno(rawValue: errno)
    guard code.rawValue == 0 else { throw SystemError("readdir", directory, code) }
    return names.sorted()
  }

  /// Waits until the names in a directory are on the disk.
  package static func sync(_ directory: String) throws(SystemError) {
    let folder = try SystemFile(directory, .readOnly, .directory)
    do throws(SystemError) {
      try folder.syncAll()
    } catch {
      // Some file systems cannot do that, and need not.
      guard error.code == .invalidArgument || error.code == .notSupported else { throw error }
    }
  }

  /// Removes a directory that is empty.
  package static func remove(_ path: String) throws(SystemError) {
    try call("rmdir", path) { rmdir(path) }
  }

  /// The directory that relative paths begin in; nil where it has no name any more.
  package static var current: String? {
    guard let directory = getcwd(nil, 0) else { return nil }
    defer { free(directory) }
    return String(cString: directory)
  }

  // MARK: Temporary files

  /// The directory for temporary files, without a `/` at its end.
  package static var temporary: String {
    guard let value = getenv("TMPDIR"), value[0] != 0 else { return "/tmp" }
    let path = String(cString: value)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The path of a temporary file or directory that does not exist yet: its name cannot be guessed.
  package static func temporaryPath(ending: String = "") -> String {
    let number = UInt64.random(in: .min ... .max)
    return "\(temporary)/apnsim-\(String(number, radix: 16))\(ending)"
  }

  /// Makes a temporary directory for the owner alone.
  /// - Parameter name: the beginning of its name.
  package static func makeTemporary(_ name: String) throws(SystemError) -> String {
    let path = "\(temporary)/\(name)-XXXXXX"
    var template = Array(path.utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp", path, Errno(rawValue: errno)) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
