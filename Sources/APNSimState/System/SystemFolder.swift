#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What is done with directories and names in them.
enum SystemFolder {
  /// The absolute form of a path.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let directory = getcwd(nil, 0) else { return path }
    defer { free(directory) }
    return String(cString: directory) + "/" + path
  }

  /// Makes a directory for the owner alone, and those above it as the umask says; one that is there stays as it is.
  static func make(_ path: String) throws(SystemError) {
    let parts = path.split(separator: "/")
    var prefix = path.hasPrefix("/") ? "" : "."
    for (index, part) in parts.enumerated() {
      prefix += "/" + part
      guard mkdir(prefix, index == parts.count - 1 ? 0o700 : 0o777) != 0, errno != EEXIST else { continue }
      // The reason is taken before another call overwrites it.
      let error = SystemError.last
      var facts = stat()
      guard stat(prefix, &facts) == 0 else { throw error }
    }
  }

  static func isDirectory(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// Looks whether files can be made in a directory.
  static func checkWritable(_ path: String) throws(SystemError) {
    guard access(path, R_OK | W_OK | X_OK) == 0 else { throw .last }
  }

  /// The names in a directory, in no order.
  static func names(in directory: String) throws(SystemError) -> [String] {
    guard let handle = opendir(directory) else { throw .last }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      // An entry is only as long as its name, so the whole structure must not be copied.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  static func move(_ path: String, to target: String) throws(SystemError) {
    guard rename(path, target) == 0 else { throw .last }
  }

  /// Removes a file or a link; one that is not there is no error.
  static func remove(_ path: String) throws(SystemError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .last }
  }

  /// Waits until the names in a directory are on the disk.
  static func sync(_ directory: String) throws(SystemError) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    // Some file systems cannot do that, and need not.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .last }
  }

  /// Puts a small file in place in one step, on the disk before its name is.
  static func replace(_ path: String, with bytes: [UInt8], by draft: String) throws(SystemError) {
    do throws(SystemError) {
      let file = try SystemFile(draft, .replacing)
      try file.write(bytes)
      try file.sync()
      try move(draft, to: path)
    } catch {
      try? remove(draft)
      throw error
    }
  }
}
