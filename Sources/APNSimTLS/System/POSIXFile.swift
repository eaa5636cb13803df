import COpenSSL

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The few file operations that certificates, keys and logs need, with errors in plain words.
///
/// Such files are small: reading stops at ``sizeLimit``, so that a path to a disk image or to `/dev/zero` is an error
/// instead of exhausted memory.
package enum POSIXFile {
  /// The maximum size of a certificate, key or revocation list, in bytes.
  static let sizeLimit = 16 * 1_048_576

  /// The attributes that show a change of a file without reading it.
  struct Stamp: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    var seconds: Int64
    var nanoseconds: Int64
    /// False for a pipe or a device, which cannot be read twice.
    var isRegular: Bool
  }

  /// The kinds of file that a read accepts.
  enum Source {
    /// Waits for a pipe's writer.
    case anything
    /// Never waits, whatever the path has come to mean.
    case regularFile
  }

  /// The stamp of a file; nil if there is none. The stamp of a pipe does not change when it is written to.
  static func stamp(_ path: String) -> Stamp? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    #if canImport(Darwin)
      let modified = facts.st_mtimespec
    #else
      let modified = facts.st_mtim
    #endif
    let isRegular = facts.st_mode & S_IFMT == S_IFREG
    return Stamp(
      device: UInt64(truncatingIfNeeded: facts.st_dev),
      inode: UInt64(truncatingIfNeeded: facts.st_ino),
      size: isRegular ? Int64(facts.st_size) : 0,
      seconds: isRegular ? Int64(modified.tv_sec) : 0,
      nanoseconds: isRegular ? Int64(modified.tv_nsec) : 0,
      isRegular: isRegular
    )
  }

  static func isPipe(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
  }

  static func exists(_ path: String) -> Bool { stamp(path) != nil }

  /// The whole content of a regular file (or pipe) of at most ``sizeLimit`` bytes.
  package static func bytes(of path: String) throws(TLSSetupError) -> [UInt8] { try read(path) }

  static func read(_ path: String, from source: Source = .anything) throws(TLSSetupError) -> [UInt8] {
    // Opening a pipe without this would wait for a writer.
    let patience = source == .regularFile ? O_NONBLOCK : 0
    let descriptor = apnsim_open(path, O_RDONLY | O_CLOEXEC | patience, 0)
    guard descriptor >= 0 else { throw TLSSetupError(file: path, reason: "cannot be read: \(lastError())") }
    defer { close(descriptor) }
    var facts = stat()
    let isKnown = fstat(descriptor, &facts) == 0
    if isKnown, facts.st_mode & S_IFMT == S_IFDIR {
      throw TLSSetupError(file: path, reason: "is a directory, expected a file")
    }
    if source == .regularFile, !isKnown || facts.st_mode & S_IFMT != S_IFREG {
      throw TLSSetupError(
        file: path,
        reason: "is not a regular file, and only regular files are read again while apnsim runs"
      )
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw TLSSetupError(file: path, reason: "cannot be read: \(lastError())") }
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= sizeLimit else {
        throw TLSSetupError(file: path, reason: "is larger than \(sizeLimit) bytes")
      }
    }
  }

  /// Puts a file in place in one step, as ``FileReplacement`` does.
  /// - Parameter mode: the mode of a file; a device or a pipe keeps its own.
  static func writeAtomically(
    _ bytes: [UInt8],
    to path: String,
    mode: Int32
  ) throws(TLSSetupError) {
    let place = FileReplacement(of: path)
    let way = place.isBeside ? O_CREAT | O_EXCL : O_TRUNC
    let descriptor = apnsim_open(place.draft, O_WRONLY | way | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw TLSSetupError(cannotWrite: path, reason: lastError()) }
    var failure = append(bytes, to: descriptor) ? nil : lastError()
    if failure == nil, place.isBeside, fchmod(descriptor, mode_t(mode)) != 0 { failure = lastError() }
    if close(descriptor) != 0, failure == nil { failure = lastError() }
    if failure == nil, !place.commit() { failure = lastError() }
    if let failure {
      place.discard()
      throw TLSSetupError(cannotWrite: path, reason: failure)
    }
  }

  /// Writes all bytes to an open descriptor; `false` with the reason in `errno`.
  package static func append(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        systemWrite(descriptor, raw.baseAddress.map { $0 + written }, raw.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  static func makeDirectory(_ path: String) throws(TLSSetupError) {
    var prefix = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      prefix += part
      if !prefix.isEmpty, prefix != "/", mkdir(prefix, 0o755) != 0, errno != EEXIST {
        // The reason is taken before another system call overwrites it.
        let reason = lastError()
        guard exists(prefix) else { throw TLSSetupError(cannotWrite: path, reason: reason) }
      }
      prefix += "/"
    }
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
      throw TLSSetupError(cannotWrite: path, reason: "is not a directory")
    }
  }

  /// The names in a directory, sorted; empty when it cannot be read.
  static func names(in directory: String) -> [String] {
    guard let handle = opendir(directory) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      // An entry is only as long as its name, so the whole structure must not be copied.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Runs `body` while no other process or thread holds the lock file.
  static func withLock<Result>(
    _ path: String,
    _ body: () throws(TLSSetupError) -> Result
  ) throws(TLSSetupError) -> Result {
    let descriptor = apnsim_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TLSSetupError(cannotWrite: path, reason: lastError()) }
    defer { close(descriptor) }
    while apnsim_flock_exclusive(descriptor) != 0 {
      guard errno == EINTR else { throw TLSSetupError(cannotWrite: path, reason: lastError()) }
    }
    return try body()
  }

  static func lastError() -> String { words(for: errno) }

  /// A description of a system error in plain words.
  package static func words(for code: Int32) -> String {
    switch code {
    case ENOENT: "no such file or directory"
    case EACCES, EPERM: "permission denied"
    case EROFS: "read-only file system"
    case ENOSPC: "no space left on the device"
    case EFBIG, EDQUOT: "the file cannot grow any more"
    case EMFILE: "too many open files"
    case ENFILE: "the system has too many open files"
    case ENOTDIR: "a part of the path is not a directory"
    default: String(cString: strerror(code))
    }
  }
}

// Inside the enum above, `read` would mean its own function.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}
